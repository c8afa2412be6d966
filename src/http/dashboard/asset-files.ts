import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Put in place by the build; sources don't know their commit. */
declare const ANSWERLAKE_COMMIT: string | undefined

/** The dashboard as browsers load it, by name: `app.js`, `app.css`, and what `app.js` asks for, scripts and `methods.md`. */
export type AssetFiles = Readonly<Record<string, string>>

let kept: Promise<AssetFiles> | undefined

/**
 * The package has the built files beside its program, and keeps what it has read; a checkout makes them of its sources,
 * anew when one of these has changed. As long as they are the same, so is the object. The executable has its own
 * `bin/executable/asset-files.mts`.
 */
export async function loadAssetFiles(): Promise<AssetFiles> {
  if (typeof ANSWERLAKE_COMMIT !== 'string') return (await import('./build-assets.ts')).buildWhenChanged()
  return (kept ??= readBuilt(join(import.meta.dirname, 'dashboard')))
}

async function readBuilt(dir: string): Promise<AssetFiles> {
  const names = await readdir(dir)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), 'utf8')])),
  )
}
