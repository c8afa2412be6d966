import { getAsset } from 'node:sea'
import type { AssetFiles } from '../../src/http/dashboard/asset-files.ts'

/** What the executable carries, by name, with its SHA-256. Put in place by the build. */
declare const ANSWERLAKE_ASSETS: Readonly<Record<string, string>>

const FOLDER = 'dashboard/'

let kept: AssetFiles | undefined

/** Stands in for `src/http/dashboard/asset-files.ts`: the dashboard is inside the executable, and read from there. */
export async function loadAssetFiles(): Promise<AssetFiles> {
  return (kept ??= readCarried())
}

function readCarried(): AssetFiles {
  const names = Object.keys(ANSWERLAKE_ASSETS).filter((name) => name.startsWith(FOLDER))
  return Object.fromEntries(names.map((name) => [name.slice(FOLDER.length), getAsset(name, 'utf8')]))
}
