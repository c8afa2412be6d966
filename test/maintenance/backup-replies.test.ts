import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpLake } from '../../src/maintenance/backup.ts'
import { deleteAnswers } from '../../src/maintenance/delete-answers.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { restoreBackup } from '../../src/maintenance/restore.ts'
import { keepRun } from './support/kept-replies.ts'
import { openTestLake, SITE } from './support/lake.ts'
import { findMarks } from './support/marked-bytes.ts'

const of = (id: string, text: string, prompt = 'p0') => ({ id, text, prompt })

/** Paths below a directory with what the files hold. */
function readTree(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(dir.length + 1), readFileSync(path, 'base64')] as const
    }),
  )
}

test('a backup carries raw replies of all lanes, and a restoration brings them back', async () => {
  const lake = await openTestLake()
  const dir = join(lake.dir, 'backup')
  await keepRun(lake, 'run_a', {
    day: '2026-10-07',
    main: [of('scn_1', 'Acme leads.')],
    shadow: [of('scn_2', 'Shadow: Acme.')],
    failed: [of('scn_3', 'Not found')],
  })
  // Its file is still written.
  await keepRun(lake, 'run_b', { day: '2026-10-08', lives: true, main: [of('scn_4', 'Acme again.')] })
  await backUpLake(lake.app.change, { dir })
  // Nobody's: of no run that the catalog knows.
  writeFileSync(join(lake.dataDir, 'scans', '2026-10-07', 'run_x-1.ndjson'), '{}\n')
  await backUpLake(lake.app.change, { dir })
  const dataDir = join(lake.dir, 'restored')
  await restoreBackup({ dir, dataDir, clock: lake.clock })
  const { '2026-10-07/run_x-1.ndjson': _nobodys, ...all } = readTree(join(lake.dataDir, 'scans'))
  expect(Object.keys(all)).toHaveLength(4)
  expect(readTree(join(dataDir, 'scans'))).toEqual(all)
})

test('a second backup takes what was forgotten out of the first, and is refused when a file is damaged', async () => {
  const lake = await openTestLake()
  const dir = join(lake.dir, 'backup')
  const [gone, stays] = ['mkbg-1a2b', 'mkbs-3c4d']
  await keepRun(lake, 'run_a', {
    day: '2026-10-07',
    main: [of('scn_1', `Acme, says ${gone}.`), of('scn_2', `Acme, says ${stays}.`, 'p1')],
  })
  await backUpLake(lake.app.change, { dir })
  const prompts = lake.app.catalog.prompts.listByIds(SITE, ['p0'])
  const site = lake.app.catalog.sites.get(SITE)
  await deleteAnswers(lake.app.change, { site, selection: { prompts }, dryRun: false })
  await collectGarbage(lake.app.change, { graceMs: 0 })
  expect(Object.keys(findMarks(join(dir, 'scans'), [gone, stays]))).toEqual([gone, stays])
  await backUpLake(lake.app.change, { dir })
  expect(Object.keys(findMarks(dir, [gone, stays]))).toEqual([stays])
  const [name = ''] = readdirSync(join(dir, 'scans'))
  writeFileSync(join(dir, 'scans', name), 'damaged')
  const restored = restoreBackup({ dir, dataDir: join(lake.dir, 'restored'), clock: lake.clock })
  await expect(restored).rejects.toThrow('is damaged')
})
