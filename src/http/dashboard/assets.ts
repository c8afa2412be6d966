import { hash } from 'node:crypto'
import { ASSET_NAMES, type AssetFiles, type AssetName, loadAssetFiles } from './asset-files.ts'

/** The dashboard's files under a name that changes with their bytes, so that browsers may keep them for ever. */
export interface Assets {
  readonly files: AssetFiles
  /** `/assets/3f0c…`, without a slash at its end. */
  readonly base: string
}

const TYPES: Readonly<Record<AssetName, string>> = {
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
}

export async function loadAssets(): Promise<Assets> {
  const files = await loadAssetFiles()
  const digest = hash('sha256', JSON.stringify(ASSET_NAMES.map((name) => files[name])))
  return { files, base: `/assets/${digest.slice(0, 16)}` }
}

/** The file at a path, with its media type; undefined where there is none. */
export function findAsset({ files, base }: Assets, path: string): { text: string; type: string } | undefined {
  const name = ASSET_NAMES.find((known) => path === `${base}/${known}`)
  return name === undefined ? undefined : { text: files[name], type: TYPES[name] }
}
