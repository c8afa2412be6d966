import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { dropLibatomic } from './executable/drop-libatomic.mts'
import { buildAssets } from '../src/http/dashboard/build-assets.ts'
import { findCommit } from './find-commit.mts'

const ROOT = join(import.meta.dirname, '..')
const HERE = join(import.meta.dirname, 'executable')
const OUTPUT = join(ROOT, 'dist', process.platform === 'win32' ? 'answerlake.exe' : 'answerlake')

/** Files that the executable carries, by the name under which it unpacks them. */
function listAssets(): Record<string, string> {
  const require = createRequire(import.meta.url)
  const target = `${process.platform}-${process.arch}`
  const duckdb = dirname(
    createRequire(require.resolve('@duckdb/node-api')).resolve(`@duckdb/node-bindings-${target}/package.json`),
  )
  const libraries = readdirSync(duckdb).filter((name) => /\.(node|so|dylib|dll)$/.test(name))
  const sqlite = join(dirname(require.resolve('better-sqlite3/package.json')), 'prebuilds', `${target}.node`)
  const demo = readdirSync(join(ROOT, 'data/demo'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(json|csv|zst|gz)$/.test(name),
  )
  return {
    ...Object.fromEntries(libraries.map((name) => [`duckdb/${name}`, join(duckdb, name)])),
    'sqlite/better_sqlite3.node': sqlite,
    ...Object.fromEntries(
      demo.map((name) => [`data/demo/${name.replaceAll('\\', '/')}`, join(ROOT, 'data/demo', name)]),
    ),
  }
}

/** Puts the executable's own way of finding files in the place of the packages' ways. */
const standIns: Plugin = {
  name: 'stand-ins',
  setup(plugin) {
    plugin.onResolve({ filter: /^@duckdb\/node-bindings$/ }, () => ({ path: join(HERE, 'duckdb-bindings.cjs') }))
    plugin.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('better-sqlite3') ? { path: join(HERE, 'sqlite-binding.cjs') } : undefined,
    )
    plugin.onResolve({ filter: /^\.\/duckdb-library\.ts$/ }, () => ({ path: join(HERE, 'duckdb-library.mts') }))
    plugin.onResolve({ filter: /^\.\/worker-file\.ts$/ }, () => ({ path: join(HERE, 'worker-file.mts') }))
    plugin.onResolve({ filter: /^\.\/asset-files\.ts$/ }, () => ({ path: join(HERE, 'asset-files.mts') }))
    plugin.onResolve({ filter: /\/bundled-dir\.ts$/ }, ({ importer }) =>
      importer.startsWith(join(ROOT, 'cli')) ? { path: join(HERE, 'bundled-dir.mts') } : undefined,
    )
  },
}

const work = mkdtempSync(join(tmpdir(), 'answerlake-exe-'))
try {
  const assets = listAssets()
  const worker = join(work, 'log-worker.cjs')
  await bundle(join(ROOT, 'src/import-logs/worker.ts'), worker, {})
  assets['workers/log-worker.cjs'] = worker
  for (const [name, text] of Object.entries(await buildAssets())) {
    assets[`dashboard/${name}`] = join(work, name)
    writeFileSync(join(work, name), text)
  }
  await bundle(join(HERE, 'main.cjs'), join(work, 'answerlake.cjs'), {
    ANSWERLAKE_ASSETS: JSON.stringify(hashAll(assets)),
    ANSWERLAKE_COMMIT: JSON.stringify(findCommit(ROOT)),
  })
  mkdirSync(dirname(OUTPUT), { recursive: true })
  const config = {
    // Relative, because the name is kept inside: two builds in different directories have the same bytes.
    main: 'answerlake.cjs',
    output: 'answerlake',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    execArgvExtension: 'none',
    assets,
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  // Otherwise the compiled code comes in another order each time. Unlike other flags this one may differ at run time.
  const argv = ['--random-seed=1', '--build-sea', 'sea.json']
  execFileSync(process.execPath, argv, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
  // In one step: a run that is under way keeps the executable it was started from.
  const executable = readFileSync(join(work, 'answerlake'))
  dropLibatomic(executable)
  writeFileSync(`${OUTPUT}.new`, executable, { mode: 0o755 })
  renameSync(`${OUTPUT}.new`, OUTPUT)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function bundle(entry: string, outfile: string, define: Record<string, string>): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node26',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [standIns],
    define,
  })
}

/** SHA-256 of each file by its name, in the order of the names: a build's bytes don't depend on the directory's order. */
function hashAll(files: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1))
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(files[name] ?? ''))
        .digest('hex'),
    ]),
  )
}
