import { cpSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run, runJson } from './support/run.ts'

const ANSWER = `${JSON.stringify({ date: '2026-11-01', platform: 'chatgpt', prompt: 'best tool', text: 'Acme.' })}\n`
const CREATE = ['sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--id', 'acme']
const IMPORT = ['import', 'answers', '--site', 'acme', '--create-prompts', '-']

/** A data directory with one site and one imported answer. */
async function makeData(): Promise<{ dataDir: string; backup: string }> {
  const dataDir = join(makeDirectory(), 'data')
  const backup = join(dataDir, '..', 'backup')
  await runJson(dataDir, ...CREATE)
  const imported = await run([...IMPORT, '--data-dir', dataDir], { stdin: ANSWER })
  expect(imported.status).toBe(0)
  await runJson(dataDir, 'backup', backup)
  return { dataDir, backup }
}

const listParquet = (dataDir: string): string[] =>
  (readdirSync(join(dataDir, 'lake'), { recursive: true }) as string[]).filter((name) => name.endsWith('.parquet'))

const LOSSES: Readonly<Record<string, (path: string) => void>> = { missing: rmSync, empty: truncateSync }

test.each(Object.entries(LOSSES))(
  'a catalog that is %s beside data files is refused by every command, and no file goes',
  async (state, lose) => {
    const { dataDir } = await makeData()
    const files = listParquet(dataDir)
    expect(files.length).toBeGreaterThan(0)
    lose(join(dataDir, 'catalog.sqlite'))
    const message = `The catalog ${dataDir}/catalog.sqlite is ${state}, but ${dataDir}/lake holds data files: the catalog was lost, or a restoration was cut off.`
    const commands = [
      CREATE,
      IMPORT,
      ['sites', 'list'],
      ['orgs', 'list'],
      ['keys', 'list'],
      ['lake', 'gc'],
      ['lake', 'status'],
      ['lake', 'verify'],
      ['lake', 'rederive'],
      ['backup', join(dataDir, '..', 'other')],
      ['serve', '--port', '0'],
      ['demo', '--port', '0'],
    ]
    for (const argv of commands) {
      const { status, stderr } = await run([...argv, '--data-dir', dataDir], { stdin: ANSWER })
      expect([argv, status, stderr.split('\n')[0]]).toEqual([argv, 1, expect.stringContaining(message)])
    }
    const { status, stdout } = await run(['doctor', '--json', '--data-dir', dataDir])
    const { checks } = JSON.parse(stdout) as { checks: readonly { check: string }[] }
    expect([status, checks.find(({ check }) => check === 'catalog')]).toEqual([
      1,
      expect.objectContaining({ status: 'problem', message: expect.stringContaining(message) as string }),
    ])
    expect(listParquet(dataDir)).toEqual(files)
  },
)

test('moving the lake away gives it up, and the directory begins anew', async () => {
  const { dataDir } = await makeData()
  rmSync(join(dataDir, 'catalog.sqlite'))
  cpSync(join(dataDir, 'lake'), join(dataDir, '..', 'away'), { recursive: true })
  rmSync(join(dataDir, 'lake'), { recursive: true })
  await runJson(dataDir, ...CREATE)
  expect(await runJson(dataDir, 'sites', 'list')).toMatchObject({ data: [{ id: 'acme', last_answer_scan: null }] })
})

test('a restoration cut off between lake and catalog is refused by other commands and completed by the next restoration', async () => {
  const { dataDir, backup } = await makeData()
  const restored = join(dataDir, '..', 'restored')
  mkdirSync(join(restored, '.restore-dead'), { recursive: true })
  cpSync(join(backup, 'lake'), join(restored, 'lake'), { recursive: true })
  const files = listParquet(restored)
  expect(await run([...CREATE, '--data-dir', restored])).toMatchObject({ status: 1 })
  expect(listParquet(restored)).toEqual(files)
  await runJson(restored, 'restore', backup)
  expect(listParquet(restored).toSorted()).toEqual(listParquet(dataDir).toSorted())
  expect(await runJson(restored, 'sites', 'list')).toMatchObject({
    data: [{ id: 'acme', last_answer_scan: { date: '2026-11-01' } }],
  })
})
