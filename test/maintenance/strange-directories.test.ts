import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { backUpLake } from '../../src/maintenance/backup.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { rederiveSite } from '../../src/maintenance/rederive.ts'
import { restoreBackup } from '../../src/maintenance/restore.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { makeDirectory, run } from '../cli/support/run.ts'
import { makeAnswers, openTestLake, readLogs, readReports, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

/** Each name with that of a copy beside it, which it would match if it were a pattern or were decoded. */
const NAMES: readonly (readonly [string, string])[] = [
  ['a\\b', 'ab'],
  [`it's "100%20" \`$(x)\` ü漢 a{b,c}d ]^;~`, `it's "100 " \`$(x)\` ü漢 abd ]^;~`],
  // As Hive writes the column day into the names of directories.
  ['day=2026-01-01', 'day=2026-01-02'],
]

async function fill(lake: TestLake): Promise<void> {
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.answers(makeAnswers('B', '2026-10'))
  await lake.logs(makeLogLines('2026-10', 3))
}

async function read(app: App, { files }: Pick<TestLake, 'files'>): Promise<unknown> {
  return { reports: await readReports(app), logs: await readLogs({ app, files }) }
}

test.each(NAMES)('a data directory named %s is read as itself, not as %s beside it', async (name, beside) => {
  const lake = await openTestLake(undefined, name)
  const { app, clock, dataDir, dir } = lake
  await fill(lake)
  cpSync(dataDir, join(dir, beside), { recursive: true })
  const before = await read(app, lake)
  expect(before).toEqual(await readPlain())

  app.catalog.competitors.add(SITE, { id: 'initech', name: 'Initech', confirmed: false })
  await rederiveSite(app.change, { site: app.catalog.sites.get(SITE) })
  app.catalog.competitors.remove(SITE, 'initech')
  await compactLake(app.change, { isThorough: true })
  expect(await read(app, lake)).toEqual(before)
  expect(await verifyLake(app.change, {})).toMatchObject({ ok: true })

  const backup = join(dir, 'backup', name)
  await backUpLake(app.change, { dir: backup })
  const restored = join(dir, 'restored', name)
  await restoreBackup({ dir: backup, dataDir: restored, clock })
  const again = await lake.openAgain(restored)
  expect(await verifyLake(again.change, {})).toMatchObject({ ok: true })
  expect(await read(again, lake)).toEqual(before)
})

/** What the same imports into a directory without anything strange give. */
async function readPlain(): Promise<unknown> {
  const lake = await openTestLake()
  await fill(lake)
  return read(lake.app, lake)
}

test.each(['a*b', 'a?b', 'a[b]c', '[', '**'])('a data directory named %s is refused by every command', async (name) => {
  const top = makeDirectory()
  const dataDir = join(top, name)
  const special = name.replaceAll(/[abc]/g, '')[0] ?? ''
  for (const argv of COMMANDS_OF_A_DIRECTORY) {
    const { status, stdout, stderr } = await run([...argv, '--data-dir', join(dataDir, 'inner')])
    expect({ argv, status, stdout }).toEqual({ argv, status: 2, stdout: '' })
    expect(stderr).toContain(`${join(dataDir, 'inner')}, holds ${special}, which stands for other names`)
  }
  expect(readdirSync(top)).toEqual([])
})

const COMMANDS_OF_A_DIRECTORY: readonly (readonly string[])[] = [
  ['sites', 'create', '--name', 'Acme', '--domain', 'acme.com'],
  ['sites', 'list'],
  ['import', 'logs', '--site', 'acme.com', 'access.log'],
  ['lake', 'verify'],
  ['lake', 'rederive'],
  ['lake', 'gc'],
  ['backup', '/nowhere'],
  ['restore', '/nowhere'],
  ['serve', '--port', '0'],
  ['demo', '--port', '0'],
  ['doctor'],
]
