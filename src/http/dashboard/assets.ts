import { hash } from 'node:crypto'
import { type AssetFiles, loadAssetFiles } from './asset-files.ts'

/** The dashboard's files under a name that changes with their bytes, so that browsers may keep them for ever. */
export interface Assets {
  readonly files: AssetFiles
  /** `/assets/3f0c…`, without a slash at its end. */
  readonly base: string
}

export async function loadAssets(): Promise<Assets> {
  const files = await loadAssetFiles()
  const digest = hash('sha256', JSON.stringify(files, Object.keys(files).toSorted()))
  return { files, base: `/assets/${digest.slice(0, 16)}` }
}

/** The file at a path, with its media type; undefined where there is none. */
export function findAsset({ files, base }: Assets, path: string): { text: string; type: string } | undefined {
  const name = Object.keys(files).find((known) => path === `${base}/${known}`)
  const text = name === undefined ? undefined : files[name]
  if (name === undefined || text === undefined) return undefined
  return { text, type: `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8` }
}
