import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { expectDashboard, readUrl } from './support/served-dashboard.ts'

const ROOT = resolve(import.meta.dirname, '..')
const NODE = process.execPath

/** Every path that a value of package.json names, at any depth. */
function listPaths(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listPaths) : []
}

/** Packs the program as it is released and unpacks it as npm would, with its dependencies beside it. */
function installPackage(): string {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-package-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const source = join(dir, 'source')
  mkdirSync(source)
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'bin', 'data', 'docs']) {
    cpSync(join(ROOT, name), join(source, name), { recursive: true })
  }
  const bin = (name: string): string => join(ROOT, 'node_modules', name)
  const run = (...argv: string[]): void => void execFileSync(NODE, argv, { cwd: ROOT, stdio: 'pipe' })
  run(bin('tsup/dist/cli-default.js'), '--out-dir', join(source, 'dist'))
  run(bin('typescript/bin/tsc'), '-p', 'tsconfig.types.json', '--outDir', join(source, 'dist/types'))
  cpSync(join(ROOT, 'src/client/openapi.d.ts'), join(source, 'dist/types/openapi.d.ts'))
  run('bin/build-dashboard.mts', join(source, 'dist/dashboard'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', dir], { cwd: source, stdio: 'pipe' })
  const user = join(dir, 'user', 'node_modules')
  mkdirSync(user, { recursive: true })
  execFileSync('tar', ['-xzf', join(dir, `answerlake-${packageJson.version}.tgz`), '-C', user])
  cpSync(join(user, 'package'), join(user, 'answerlake'), { recursive: true })
  rmSync(join(user, 'package'), { recursive: true })
  for (const name of Object.keys(packageJson.dependencies)) {
    mkdirSync(join(user, name, '..'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(user, name))
  }
  return join(dir, 'user')
}

test(
  'the package has what package.json names, gives its client as the pages say, and serves the dashboard',
  { timeout: 240_000 },
  async () => {
    const user = installPackage()
    const installed = join(user, 'node_modules', 'answerlake')
    const { exports, main, types, bin } = packageJson
    const missing = listPaths([exports, main, types, bin]).filter((path) => !existsSync(join(installed, path)))
    expect(missing).toEqual([])

    const script = `
    import { createClient } from 'answerlake/client'
    import * as whole from 'answerlake'
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' })
    console.log(typeof client.POST, whole.createClient === createClient)`
    writeFileSync(join(user, 'script.mjs'), script)
    const { stdout, stderr } = spawnSync(NODE, ['script.mjs'], { cwd: user, encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: 'function true\n', stderr: '' })

    const typed = `
    import { createClient } from 'answerlake/client'
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' })
    export const site = await client.GET('/v1/sites/{site_id}', { params: { path: { site_id: 'site_fernwick' } } })
    export const domain: string | undefined = site.data?.data.domain
    // @ts-expect-error: there is no such path
    await client.GET('/v1/nothing')`
    writeFileSync(join(user, 'typed.ts'), typed)
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
    ]
    writeFileSync(join(user, 'package.json'), '{"type":"module"}')
    const checked = spawnSync(NODE, [tsc, ...options, 'typed.ts'], { cwd: user, encoding: 'utf8' })
    expect(checked.stdout).toBe('')

    const program = spawnSync(NODE, [join(installed, bin.answerlake), 'version', '--json'], {
      cwd: user,
      encoding: 'utf8',
    })
    expect(JSON.parse(program.stdout)).toMatchObject({ version: packageJson.version })

    // Neither esbuild nor Preact is installed with it.
    const argv = [join(installed, bin.answerlake), 'serve', '--port', '0', '--data-dir', join(user, 'data')]
    const server = spawn(NODE, argv, { cwd: user })
    onTestFinished(() => void server.kill('SIGKILL'))
    await expectDashboard(await readUrl(server))
  },
)
