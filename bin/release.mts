import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { findCommit } from './find-commit.mts'

// Makes everything that a release hands out, in release/: executable, npm package, changelog, list of parts with their
// licences, checksums. Two runs at the same commit on the same platform give the same bytes (docs/install.md).
const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'release')
const target = `${process.platform}-${process.arch}`
const executable = process.platform === 'win32' ? 'answerlake.exe' : 'answerlake'

const commit = findCommit(ROOT)
if (commit === null || commit.endsWith('-changed')) {
  process.stderr.write('A release is made from a clean checkout. Commit or remove what differs from it.\n')
  process.exit(1)
}

// The package keeps the modes of the files that are built for it.
process.umask(0o022)
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT)
run('npm', 'run', 'build')
run('npm', 'run', 'build:exe')
run('npm', 'pack', '--pack-destination', OUT)
copyFileSync(join(ROOT, 'dist', executable), join(OUT, `${executable}-${packageJson.version}-${target}`))
copyFileSync(join(ROOT, 'CHANGELOG.md'), join(OUT, 'CHANGELOG.md'))
const parts = listParts()
writeFileSync(join(OUT, 'sbom.cdx.json'), `${JSON.stringify(parts, null, 2)}\n`)
writeFileSync(join(OUT, 'LICENSES.txt'), gatherLicences(parts.components))
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

interface Part {
  readonly type: string
  readonly name: string
  readonly version: string
  readonly [more: string]: unknown
}

/**
 * npm's list of the packages inside, with what npm can't see: the libraries in native code, and Node with its own parts.
 * What differs from run to run (time, serial number, the checkout's directory, npm's version) is left out.
 */
function listParts() {
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
    metadata: { component: Part; lifecycles: unknown }
    components: readonly Part[]
  }
  const { duckdb, sqlite } = JSON.parse(
    execFileSync(join(ROOT, 'dist', executable), ['version', '--json'], { encoding: 'utf8' }),
  ) as Record<'duckdb' | 'sqlite', string>
  return {
    ...rest,
    metadata: {
      lifecycles: metadata.lifecycles,
      component: { ...metadata.component, type: 'application', name: packageJson.name },
    },
    components: [
      ...components,
      { ...toPart('duckdb', duckdb), licenses: [{ license: { id: 'MIT' } }] },
      { ...toPart('sqlite', sqlite), licenses: [{ license: { name: 'Public Domain' } }] },
      { ...toPart('node', process.versions.node), type: 'application', licenses: [{ license: { id: 'MIT' } }] },
      ...listPartsOfNode(),
    ],
  }
}

/** Their licences are in Node's, which LICENSES.txt holds. */
function listPartsOfNode(): Part[] {
  const notParts = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode'])
  return Object.entries(process.versions).flatMap(([name, version]) =>
    notParts.has(name) || !version ? [] : [toPart(name, version)],
  )
}

function toPart(name: string, version: string): Part {
  return { type: 'library', name, version, 'bom-ref': `${name}@${version}`, purl: `pkg:generic/${name}@${version}` }
}

/** The licence texts that packages bring along; those of native code and of Node are among them. */
function gatherLicences(components: readonly Part[]): string {
  const texts = components.flatMap(({ name, version, purl }) => {
    const folder = join(ROOT, 'node_modules', name)
    if (!String(purl).startsWith('pkg:npm/')) return []
    const file = readdirSync(folder).find((entry) => /^(un)?licen[cs]e|^copying/i.test(entry))
    if (file === undefined) throw new Error(`${name} brings no licence along`)
    return [`${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`]
  })
  return [
    `answerlake ${packageJson.version}\n\n${readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim()}\n`,
    ...texts,
  ].join(`\n${'='.repeat(80)}\n\n`)
}
