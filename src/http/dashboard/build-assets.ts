import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import type { AssetFiles } from './asset-files.ts'

const SOURCES = join(import.meta.dirname, '../../dashboard')

/** Bundles the dashboard in memory. Rejects with esbuild's error when its sources have a fault. */
export async function buildAssets(): Promise<AssetFiles> {
  const { outputFiles } = await build({
    entryPoints: { app: join(SOURCES, 'main.tsx'), methods: join(SOURCES, 'methods/methods.md') },
    loader: { '.md': 'copy' },
    outdir: SOURCES,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    target: ['chrome120', 'firefox120', 'safari17'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))
}

let built: { readonly changedMs: number; readonly files: Promise<AssetFiles> } | undefined

/** What `buildAssets` gives for the sources as they are now. */
export async function buildWhenChanged(): Promise<AssetFiles> {
  const changedMs = await findLastChange()
  if (built?.changedMs !== changedMs) built = { changedMs, files: buildAssets() }
  return built.files
}

/** A file that was added, renamed or removed changes its directory. */
async function findLastChange(): Promise<number> {
  const names = await readdir(SOURCES, { recursive: true })
  const times = await Promise.all(['', ...names].map(async (name) => (await stat(join(SOURCES, name))).mtimeMs))
  return Math.max(...times)
}
