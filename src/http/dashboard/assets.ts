import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { type Compressible, compressOnce } from '../compression.ts'
import { type AssetFiles, loadAssetFiles } from './asset-files.ts'
import { renderPage } from './page.ts'

/** A page or file as it is sent. */
interface Asset {
  readonly text: Compressible
  readonly type: string
}

/** What the dashboard's browsers load. */
export interface Assets {
  /** The one document that every page is. */
  readonly page: Asset
  /** By path, `/assets/3f0c…/app.js`: under a name that changes with the bytes of all files, so that they may be kept for ever. */
  readonly files: ReadonlyMap<string, Asset>
}

let kept: { readonly of: AssetFiles; readonly assets: Assets } | undefined

/** Hashed and compressed once for each build. */
export async function loadAssets(): Promise<Assets> {
  const files = await loadAssetFiles()
  if (kept?.of !== files) kept = { of: files, assets: toAssets(files) }
  return kept.assets
}

function toAssets(files: AssetFiles): Assets {
  const names = Object.keys(files).toSorted()
  const digest = hash('sha256', JSON.stringify(files, names))
  const base = `/assets/${digest.slice(0, 16)}`
  return {
    page: { text: compressOnce(renderPage(base, files)), type: 'text/html; charset=utf-8' },
    files: new Map(Object.entries(files).map(([name, text]) => [`${base}/${name}`, toAsset(name, text)])),
  }
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'javascript', '.css': 'css', '.md': 'markdown' }

function toAsset(name: string, text: string): Asset {
  return { text: compressOnce(text), type: `text/${TYPES[extname(name)]}; charset=utf-8` }
}
