import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BusyError, type Change, type ChangeContext, changeLake } from '../../src/change/change-lake.ts'
import type { ChangeKind } from '../../src/domain/manifest.ts'
import { openInstance } from '../../src/lake/instance.ts'
import { sql, text } from '../../src/lake/sql.ts'
import { makeAnswers, openTestLake, SITE, type TestLake } from '../maintenance/support/lake.ts'

const OF_ANSWERS = { site: { id: SITE }, group: 'answers' as const }

function change<T>(context: ChangeContext, work: (change: Change) => Promise<T>, kind: ChangeKind = 'import_answers') {
  return changeLake(context, { ...OF_ANSWERS, kind }, work)
}

/** Stages a file with one host. */
async function stageHost({ staging }: Change, host: string): Promise<void> {
  const instance = await openInstance({ threads: 1, memoryMib: 64, spillGib: 1, spillDir: staging.spillDir })
  const connection = await instance.connect()
  await staging.write(
    connection,
    'hosts',
    'all',
    sql`SELECT 1 AS host_no, ${text(host)} AS host, ${text(host)} AS domain`,
  )
  connection.closeSync()
  instance.closeSync()
}

/** Everything in the lake's directory that is a file. */
const listPresent = ({ app }: TestLake): string[] =>
  readdirSync(app.change.lakeDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

describe('a change', () => {
  test('becomes visible whole, and its staging directory is gone', async () => {
    const lake = await openTestLake()
    const snapshot = await change(lake.app.change, async (work) => {
      await stageHost(work, 'a.com')
      expect(lake.files()).toEqual([])
      return work.commit((committed) => lake.app.catalog.sites.setCounter(SITE, 'host_no', committed + 1))
    })
    expect(lake.files().map(({ dataset, rows }) => [dataset, rows])).toEqual([['hosts', 1]])
    expect([snapshot, lake.app.catalog.sites.counter(SITE, 'host_no')]).toEqual([1, 2])
    expect(listPresent(lake)).toHaveLength(1)
    expect(readdirSync(join(lake.app.change.lakeDir, '.staging'))).toEqual([])
  })

  test.each([
    ['before its commit', false],
    ['in its commit', true],
  ])('that fails %s leaves nothing behind', async (_, isInCommit) => {
    const lake = await openTestLake()
    const failing = change(lake.app.change, async (work) => {
      await stageHost(work, 'a.com')
      if (!isInCommit) throw new Error('no')
      await work.commit(() => {
        throw new Error('no')
      })
    })
    await expect(failing).rejects.toThrow('no')
    expect([lake.files(), listPresent(lake), lake.app.catalog.manifest.currentSnapshot()]).toEqual([[], [], 0])
    expect(readdirSync(join(lake.dataDir, 'locks'))).toHaveLength(1)
  })

  test('that is a dry run waits for no other, and leaves what that one puts in place', async () => {
    const lake = await openTestLake()
    await change(lake.app.change, async (work) => {
      await stageHost(work, 'a.com')
      const published = await work.staging.publish()
      const waited: string[] = []
      const options = {
        ...OF_ANSWERS,
        kind: 'import_answers',
        dryRun: true,
        onWait: () => waited.push('waits'),
      } as const
      expect(await changeLake(lake.app.change, options, async () => 'looked')).toBe('looked')
      expect([waited, [...new Set(listPresent(lake))]]).toEqual([
        [],
        published.map(({ path }) => path.split('/').at(-1)),
      ])
    })
  })

  test('that is told to stop before its commit does', async () => {
    const lake = await openTestLake()
    const stop = new AbortController()
    const stopped = changeLake(
      lake.app.change,
      { ...OF_ANSWERS, kind: 'repair', signal: stop.signal },
      async (work) => {
        await stageHost(work, 'a.com')
        stop.abort()
        await work.commit(() => undefined)
      },
    )
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    expect([lake.files(), listPresent(lake)]).toEqual([[], []])
  })

  test('that removes what another has removed meanwhile is refused', async () => {
    const lake = await openTestLake()
    await lake.answers(makeAnswers('A', '2026-10'))
    const [file] = lake.files('hosts')
    const other = await lake.openAgain()
    const losing = change(
      lake.app.change,
      async (work) => {
        other.catalog.manifest.commit({ kind: 'repair', siteId: SITE, add: [], remove: [file!.fileId] })
        await work.commit(() => undefined, [file!.fileId])
      },
      'compaction',
    )
    await expect(losing).rejects.toMatchObject({ name: 'WriteConflictError' })
  })

  test('that was taken for stuck says so, whatever else went wrong, and commits nothing', async () => {
    const lake = await openTestLake()
    const { catalog, change: context } = lake.app
    const losing = change(context, async (work) => {
      await stageHost(work, 'a.com')
      catalog.leases.sweep()
      const other = await lake.openAgain()
      // What another process does that has watched the holder stand still.
      rmSync(join(lake.dataDir, 'locks', readdirSync(context.lakeDir + '/.staging')[0] + '.lock'))
      const taken = other.catalog.leases.tryAcquire(`add:answers:${SITE}`)
      expect(taken).toBeDefined()
      rmSync(work.staging.dir, { recursive: true })
      await work.commit(() => undefined)
    })
    await expect(losing).rejects.toThrow('another one took over its work. Nothing was changed')
    expect([lake.files(), listPresent(lake)]).toEqual([[], []])
  })
})

describe('changes beside each other', () => {
  const kinds: readonly ChangeKind[] = [
    'import_answers',
    'replace_answers',
    'import_sentiment',
    'compaction',
    'rederive',
    'repair',
    'delete_answers',
  ]
  const inTheWay: Readonly<Record<string, readonly ChangeKind[]>> = {
    import_answers: ['import_answers', 'replace_answers', 'import_sentiment', 'rederive', 'repair', 'delete_answers'],
    import_sentiment: kinds,
    replace_answers: kinds,
    compaction: ['replace_answers', 'import_sentiment', 'compaction', 'rederive', 'repair', 'delete_answers'],
    rederive: kinds,
    repair: kinds,
    delete_answers: kinds,
  }

  test.each(kinds)('a change of kind %s waits for those in its way and for no others', async (kind) => {
    const lake = await openTestLake()
    const other = await lake.openAgain()
    const waited: ChangeKind[] = []
    await change(
      lake.app.change,
      async () => {
        for (const second of kinds) {
          try {
            await changeLake(other.change, { ...OF_ANSWERS, kind: second, waits: false }, async () => undefined)
          } catch (error) {
            expect(error).toBeInstanceOf(BusyError)
            waited.push(second)
          }
        }
      },
      kind,
    )
    expect(waited).toEqual(inTheWay[kind])
  })

  test('of other sites and of logs are in nobody’s way', async () => {
    const lake = await openTestLake()
    lake.app.catalog.sites.create({ id: 'other', name: 'Other', domain: 'other.com' })
    const other = await lake.openAgain()
    await change(lake.app.change, async () => {
      const others = [
        { site: { id: 'other' }, group: 'answers' as const, kind: 'import_answers' as const, waits: false },
        { site: { id: SITE }, group: 'logs' as const, kind: 'import_logs' as const, waits: false },
      ]
      for (const options of others) await changeLake(other.change, options, async () => undefined)
    })
  })

  test('one after the other see each what the one before has done, and are told that they wait', async () => {
    const lake = await openTestLake()
    const other = await lake.openAgain()
    const told: string[] = []
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: waiting, resolve: wait } = Promise.withResolvers<void>()
    const first = change(lake.app.change, async (work) => {
      await stageHost(work, 'a.com')
      begin()
      await waiting
      await work.commit(() => undefined)
    })
    await begun
    const onWait = (): void => {
      told.push('waits')
      wait()
    }
    const options = { ...OF_ANSWERS, kind: 'import_answers' as const, onWait }
    const seen = await changeLake(other.change, options, async (work) => work.files.map(({ dataset }) => dataset))
    await first
    expect([seen, told]).toEqual([['hosts'], ['waits']])
  })

  test('never take each other’s files for orphans, placed and not yet committed', async () => {
    const lake = await openTestLake()
    await lake.answers(makeAnswers('A', '2026-10'))
    const other = await lake.openAgain()
    await change(
      other.change,
      async (work) => {
        await stageHost(work, 'a.com')
        const [placed] = await work.staging.publish()
        await lake.answers(makeAnswers('B', '2026-10'))
        expect(existsSync(join(lake.app.change.lakeDir, placed!.path))).toBe(true)
      },
      'compaction',
    )
    expect(lake.files('hosts')).toHaveLength(2)
    expect(listPresent(lake)).toHaveLength(lake.files().length)
  })
})

test.each([
  ['ENOSPC', 'the disk is full or its quota used up'],
  ['EDQUOT', 'the disk is full or its quota used up'],
  ['EROFS', 'the file system is mounted read-only'],
  ['EACCES', 'permission is denied'],
  ['EIO', 'the disk reports an input/output error'],
  ['EMFILE', 'too many files are open'],
])('%s is told in words that say what to do', async (code, words) => {
  const lake = await openTestLake()
  const failing = change(lake.app.change, async () => {
    throw Object.assign(new Error(`${code}: some call`), { code })
  })
  await expect(failing).rejects.toMatchObject({
    name: 'CommandError',
    message: expect.stringMatching(
      new RegExp(`^The data directory \\(${lake.dataDir}\\): ${words}. Nothing was changed. `),
    ),
  })
})

test('a lake in which nothing may be made says so', async () => {
  const lake = await openTestLake()
  mkdirSync(lake.app.change.lakeDir, { recursive: true })
  rmSync(join(lake.app.change.lakeDir, '.staging'), { recursive: true, force: true })
  writeFileSync(join(lake.app.change.lakeDir, '.staging'), 'a file in the way')
  await expect(change(lake.app.change, async () => undefined)).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect(readdirSync(join(lake.dataDir, 'locks'))).toHaveLength(1)
})
