import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeDirectory, run, runJson } from './support/run.ts'

/** A directory with a data directory `data`, and a file `input` of which nothing can be imported. */
async function makeWorld(): Promise<{ dir: string; dataDir: string }> {
  const dir = makeDirectory()
  const dataDir = join(dir, 'data')
  await runJson(dataDir, 'sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--id', 'acme')
  writeFileSync(join(dir, 'input'), 'no record\n')
  return { dir, dataDir }
}

const IMPORTS = [
  ['answers', []],
  ['logs', ['--format', 'combined']],
] as const

const importTo = (kind: string, flags: readonly string[], dir: string, rejects: string, dataDir = join(dir, 'data')) =>
  run(['import', kind, '--site', 'acme', ...flags, '--rejects', rejects, '--data-dir', dataDir, join(dir, 'input')])

describe.each(IMPORTS)('--rejects of import %s', (kind, flags) => {
  test.each([
    ['the catalog', (dir: string) => join(dir, 'data', 'catalog.sqlite')],
    ['a new file', (dir: string) => join(dir, 'data', 'new.ndjson')],
    ['a way with dots', (dir: string) => `${dir}/data/locks/../catalog.sqlite`],
    ['a link to the catalog', (dir: string) => link(join(dir, 'data', 'catalog.sqlite'), join(dir, 'link'))],
    ['a link from below', (dir: string) => link('data/catalog.sqlite', join(dir, 'link'))],
    ['a link to nothing yet', (dir: string) => link('data/new.ndjson', join(dir, 'link'))],
    ['a linked directory', (dir: string) => join(link(join(dir, 'data'), join(dir, 'linked')), 'catalog.sqlite')],
    ['the data directory', (dir: string) => join(dir, 'data')],
  ])('is refused in the data directory: %s', async (_, toRejects) => {
    const { dir, dataDir } = await makeWorld()
    const rejects = toRejects(dir)
    const before = [readdirSync(dataDir), readFileSync(join(dataDir, 'catalog.sqlite'))]
    for (const more of [[], ['--dry-run']]) {
      expect(await importTo(kind, [...flags, ...more], dir, rejects)).toEqual({
        status: 2,
        stdout: '',
        stderr: `answerlake: --rejects ${rejects} lies in the data directory ${dataDir}, whose files are this program's alone. Choose a file elsewhere.\nTry 'answerlake import ${kind} --help'.\n`,
      })
    }
    expect([readdirSync(dataDir), readFileSync(join(dataDir, 'catalog.sqlite'))]).toEqual(before)
  })

  test('is refused where the data directory is named by a link', async () => {
    const { dir, dataDir } = await makeWorld()
    const linked = link(dataDir, join(dir, 'linked'))
    const result = await importTo(kind, flags, dir, join(dataDir, 'catalog.sqlite'), linked)
    expect([result.status, result.stderr]).toEqual([2, expect.stringContaining('lies in the data directory')])
  })

  test('is written beside a data directory, also under a name that begins like its own', async () => {
    const { dir } = await makeWorld()
    const rejects = join(dir, 'data.rejects')
    expect((await importTo(kind, flags, dir, rejects)).status).toBe(3)
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject({ line: 1, record: 'no record' })
  })

  test.each([
    ['missing/rejects', 'its directory does not exist'],
    ['folder', 'it is a directory'],
    ['input/rejects', 'a file stands where its directory should be'],
  ])('says in words why %s cannot be written', async (name, reason) => {
    const { dir } = await makeWorld()
    mkdirSync(join(dir, 'folder'))
    const { status, stderr } = await importTo(kind, flags, dir, join(dir, name))
    expect([status, stderr]).toEqual([
      1,
      `answerlake: The rejected records can't be written to ${join(dir, name)}: ${reason}. Choose another file with --rejects.\n`,
    ])
  })
})

test('prompts import says in words why a file cannot be read', async () => {
  const { dir, dataDir } = await makeWorld()
  const read = (file: string) => run(['prompts', 'import', '--site', 'acme', '--data-dir', dataDir, file])
  const [missing, folder] = [join(dir, 'missing.csv'), dir]
  expect([await read(missing), await read(folder)]).toEqual([
    {
      status: 1,
      stdout: '',
      stderr: `answerlake: ${missing}: there is no such file. Check the path; - reads standard input.\n`,
    },
    { status: 1, stdout: '', stderr: `answerlake: ${folder}: is a directory. Name a file in it.\n` },
  ])
})

function link(target: string, path: string): string {
  symlinkSync(target, path)
  return path
}
