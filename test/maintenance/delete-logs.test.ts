import { expect, test } from 'vitest'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { deleteLogs, type LogSelection } from '../../src/maintenance/delete-logs.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { findBotByName } from '../../src/reference/bots.ts'
import { openTestLake, readLogs, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

/** Two imports, both with days of September. */
const IMPORTS = [
  [...makeLogLines('2026-09', 3), ...makeLogLines('2026-09', 14, 5), ...makeLogLines('2026-10', 2)],
  [...makeLogLines('2026-09', 14, 4), ...makeLogLines('2026-10', 20, 6)],
]

async function openLakeWith(isKept: (line: string) => boolean): Promise<TestLake> {
  const lake = await openTestLake()
  for (const lines of IMPORTS) {
    const kept = lines.filter(isKept)
    if (kept.length > 0) await lake.logs(kept)
  }
  return lake
}

const remove = ({ app }: TestLake, selection: LogSelection, dryRun = false) =>
  deleteLogs(app.change, { site: app.catalog.sites.get(SITE), selection, dryRun })

const SELECTIONS: readonly [string, LogSelection, (line: string) => boolean][] = [
  ['a month', { from: '2026-09-01', to: '2026-09-30' }, (line) => line.includes('/Sep/')],
  ['a day', { from: '2026-09-14', to: '2026-09-14' }, (line) => line.includes('[14/Sep/')],
  ['a path', { path: '/docs/1' }, (line) => line.includes('/docs/1 ')],
  ['paths below another', { path: '/pricing/*' }, (line) => line.includes('/pricing/')],
  [
    'a path on some days',
    { path: '/docs/*', from: '2026-10-01' },
    (line) => line.includes('/docs/') && line.includes('/Oct/'),
  ],
  ['a bot', { bot: findBotByName('GPTBot')! }, (line) => line.includes('GPTBot')],
  ['everything', {}, () => true],
]

test.each(SELECTIONS)('of %s leaves what an import of the other lines makes', async (_, selection, isMeant) => {
  const lake = await openLakeWith(() => true)
  const before = lake.files()
  const meant = IMPORTS.flat().filter(isMeant)
  const hits = meant.filter((line) => line.includes('GPTBot')).length
  const planned = await remove(lake, selection, true)
  expect(planned).toMatchObject({ site_id: SITE, bot_hits: hits, visits: meant.length - hits, snapshot: null })
  expect(lake.files()).toEqual(before)

  expect(await remove(lake, selection)).toEqual({ ...planned, snapshot: 3 })
  expect(await verifyLake(lake.app.change, {})).toMatchObject({ ok: true })
  const fresh = await openLakeWith((line) => !isMeant(line))
  expect(await readLogs(lake)).toEqual(await readLogs(fresh))
  await compactLake(lake.app.change, { isThorough: true })
  expect(await readLogs(lake)).toEqual(await readLogs(fresh))
  expect(await remove(lake, selection)).toMatchObject({ bot_hits: 0, visits: 0 })
})

test('stays deleted when the same log is imported again', async () => {
  const lake = await openLakeWith(() => true)
  await remove(lake, { to: '2026-09-30' })
  const left = await readLogs(lake)
  for (const lines of IMPORTS) expect(await lake.logs(lines)).toMatchObject({ bot_hits: 0, visits: 0 })
  expect(await readLogs(lake)).toEqual(left)
})
