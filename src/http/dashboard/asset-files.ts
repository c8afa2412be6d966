import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Put in place by the build; sources don't know their commit. */
declare const ANSWERLAKE_COMMIT: string | undefined

export const ASSET_NAMES = ['app.js', 'app.css'] as const
export type AssetName = (typeof ASSET_NAMES)[number]

/** The dashboard as browsers load it: one script, one style sheet. */
export type AssetFiles = Readonly<Record<AssetName, string>>

let kept: Promise<AssetFiles> | undefined

/**
 * The package has the built files beside its program, and keeps what it has read; a checkout makes them of its sources,
 * anew when one of these has changed. The executable has its own `bin/executable/asset-files.mts`.
 */
export async function loadAssetFiles(): Promise<AssetFiles> {
  if (typeof ANSWERLAKE_COMMIT !== 'string') return (await import('./build-assets.ts')).buildWhenChanged()
  return (kept ??= readBuilt(join(import.meta.dirname, 'dashboard')))
}

async function readBuilt(dir: string): Promise<AssetFiles> {
  const [script = '', style = ''] = await Promise.all(ASSET_NAMES.map((name) => readFile(join(dir, name), 'utf8')))
  return { 'app.js': script, 'app.css': style }
}
