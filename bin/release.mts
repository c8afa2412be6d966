import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { findCommit } from './find-commit.mts'

// Makes everything that a release hands out, in release/: executable, npm package, changelog, list of parts, checksums.
// Two runs at the same commit on the same platform give the same bytes (docs/install.md).
const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'release')
const target = `${process.platform}-${process.arch}`
const executable = process.platform === 'win32' ? 'answerlake.exe' : 'answerlake'

const commit = findCommit(ROOT)
if (commit === null || commit.endsWith('-changed')) {
  process.stderr.write('A release is made from a clean checkout. Commit or remove what differs from it.\n')
  process.exit(1)
}

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT)
run('npm', 'run', 'build')
run('npm', 'run', 'build:exe')
run('npm', 'pack', '--pack-destination', OUT)
copyFileSync(join(ROOT, 'dist', executable), join(OUT, `${executable}-${packageJson.version}-${target}`))
copyFileSync(join(ROOT, 'CHANGELOG.md'), join(OUT, 'CHANGELOG.md'))
writeFileSync(join(OUT, 'sbom.cdx.json'), `${JSON.stringify(listParts(), null, 2)}\n`)
const sums = readdirSync(OUT)
  .toSorted()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(OUT, name)))
        .digest('hex')}  ${name}`,
  )
writeFileSync(join(OUT, 'SHA256SUMS'), `${sums.join('\n')}\n`)
process.stdout.write(`${sums.join('\n')}\n`)

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** npm's list of the packages inside, with the libraries that npm can't see; without what differs from run to run. */
function listParts(): object {
  const list = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const {
    serialNumber: _serialNumber,
    metadata,
    components,
    ...rest
  } = JSON.parse(list) as {
    serialNumber: string
    metadata: Record<string, unknown>
    components: readonly object[]
  }
  const [duckdb, sqlite] = execFileSync(join(ROOT, 'dist', executable), ['version', '--json'], { encoding: 'utf8' })
    .split('\n')
    .join('')
    .match(/"duckdb":\s*"([^"]+)".*"sqlite":\s*"([^"]+)"/)
    ?.slice(1) ?? ['unknown', 'unknown']
  const native = [
    { type: 'application', name: 'node', version: process.versions.node, licenses: [{ license: { id: 'MIT' } }] },
    { type: 'library', name: 'duckdb', version: duckdb, licenses: [{ license: { id: 'MIT' } }] },
    { type: 'library', name: 'sqlite', version: sqlite, licenses: [{ license: { name: 'Public Domain' } }] },
  ]
  return { ...rest, metadata: { ...metadata, timestamp: undefined }, components: [...components, ...native] }
}
