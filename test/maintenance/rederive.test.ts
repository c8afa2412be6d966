import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteLogs } from '../../src/maintenance/delete-logs.ts'
import { rederivePaths } from '../../src/maintenance/rederive-paths.ts'
import { rederiveAnswers, type RederiveResult } from '../../src/maintenance/rederive-answers.ts'
import {
  makeAnswersRequests,
  makeCitationsRequests,
  makeSentimentRequests,
  makeVisibilityRequests,
} from '../reports/support/requests.ts'
import { type Reply, serveWorld, type ServedWorld } from '../reports/support/served-world.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { openTestLake, SITE } from './support/lake.ts'

const REQUESTS_PER_REPORT = 40

/** Renames, merges, adds and removes brands as an operator would. */
function changeBrands({ app: { catalog } }: ServedWorld, siteId: string): void {
  catalog.sites.set(siteId, { aliases: ['Acme', 'Acme Works'], exact: ['Acme'] })
  catalog.competitors.set(siteId, 'Linear', { exact: ['LNR'] })
  catalog.competitors.set(siteId, 'Zeta 3', { name: 'Zeta Prime', aliases: ['Zeta 3', 'Zeta'] })
  catalog.competitors.remove(siteId, 'Rival Shop')
  catalog.competitors.set(siteId, 'Rival', { aliases: ['RVL', 'Rival Inc.', 'Rival Shop'], domains: ['rival.com'] })
  catalog.competitors.remove(siteId, 'Never Named')
  catalog.competitors.add(siteId, { name: 'CRM', domains: ['wikipedia.org'] })
  catalog.competitors.confirm(siteId, 'Upstart')
}

describe('lake rederive', () => {
  const world = makeWorld('rederive', { share: 0.2 })
  const { id } = world.site
  let changed: ServedWorld
  let fresh: ServedWorld
  let first: RederiveResult

  beforeAll(async () => {
    changed = await serveWorld(world)
    changeBrands(changed, id)
    first = await rederiveAnswers(changed.app.change, { site: changed.app.catalog.sites.get(id) })
    const site = changed.app.catalog.sites.get(id)
    const competitors = changed.app.catalog.competitors.list(id)
    fresh = await serveWorld({
      ...world,
      site: { ...world.site, aliases: site.aliases, exact: site.exact },
      competitors,
    })
  })
  afterAll(async () => {
    await changed?.close()
    await fresh?.close()
  })

  const reports = {
    '/v1/reports/visibility': makeVisibilityRequests(world, REQUESTS_PER_REPORT),
    '/v1/reports/citations': makeCitationsRequests(world, REQUESTS_PER_REPORT),
    '/v1/reports/sentiment': makeSentimentRequests(world, REQUESTS_PER_REPORT),
    '/v1/answers': makeAnswersRequests(world, REQUESTS_PER_REPORT),
  }
  for (const [path, requests] of Object.entries(reports)) {
    it(`makes ${path} equal to a fresh import of the same answers with the new brands`, async () => {
      for (const { body } of requests) {
        const found = withoutChance(await changed.ask(path, body))
        expect(found, JSON.stringify(body)).toEqual(withoutChance(await fresh.ask(path, body)))
      }
    })
  }

  it('derives every month once and leaves those that are up to date', async () => {
    expect(first.months).toEqual(['2026-08', '2026-09', '2026-10'])
    const site = changed.app.catalog.sites.get(id)
    const again = await rederiveAnswers(changed.app.change, { site })
    expect(again).toEqual({ ...first, months: [], months_up_to_date: 3, answers: 0, snapshot: again.snapshot })
    expect(again.snapshot).toBe(changed.app.catalog.manifest.currentSnapshot(id))
  })

  it('goes on after the month at which it was stopped', async () => {
    const site = changed.app.catalog.sites.set(id, { aliases: ['Acme'] })
    const stop = new AbortController()
    const stopped = rederiveAnswers(changed.app.change, {
      site,
      signal: stop.signal,
      onProgress: ({ done }) => done === 1 && stop.abort(),
    })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    const rest = await rederiveAnswers(changed.app.change, { site })
    expect(rest.months).toEqual(['2026-09', '2026-10'])
  })

  it('derives a month again after an import into it', async () => {
    const [record] = world.imports[0]?.[0] ?? []
    await changed.import([[{ ...record!, id: 'late-1', date: '2026-09-10' }]])
    const again = await rederiveAnswers(changed.app.change, { site: changed.app.catalog.sites.get(id) })
    expect(again.months).toEqual(['2026-09'])
  })
})

/** A reply without what differs between two directories by chance: cursors and request ids. */
function withoutChance({ status, body }: Reply): unknown {
  if (status !== 200) return { status, code: body.error?.code }
  const { next_cursor, ...info } = body.info
  return { status, info: { ...info, isLast: next_cursor === null }, data: body.data }
}

/** Changes the name of the program that wrote the file, which no reader minds. */
function damage(lakeDir: string, [{ path }]: readonly [{ readonly path: string }]): string {
  const file = join(lakeDir, path)
  const bytes = readFileSync(file)
  bytes.write('Duckdb', bytes.lastIndexOf('DuckDB'))
  writeFileSync(file, bytes)
  return path
}

const GIVEN = {
  answers: [
    {
      id: 'a',
      date: '2026-11-01',
      platform: 'chatgpt',
      prompt_id: 'p0',
      text: 'Acme',
      citations: ['https://acme.com/'],
    },
  ],
  line: '192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET /own/a HTTP/1.1" 200 10 "-" "GPTBot/1.2"',
}

it.each(['citations', 'hosts', 'paths', 'bot_hits'] as const)(
  'derives nothing from %s that are not what was written',
  async (dataset) => {
    const lake = await openTestLake()
    await lake.answers(GIVEN.answers)
    await lake.logs([GIVEN.line])
    const pageTypeRules = [{ pattern: '/own/*', page_type: 'pricing' }]
    lake.app.catalog.sites.set(SITE, { pageTypeRules })
    const path = damage(lake.app.change.lakeDir, lake.files(dataset) as never)
    const before = lake.files()
    const site = lake.app.catalog.sites.get(SITE)
    const derived = dataset === 'citations' || dataset === 'hosts' ? rederiveAnswers : rederivePaths
    await expect(derived(lake.app.change, { site })).rejects.toThrow(path)
    expect(lake.files()).toEqual(before)
  },
)

it.each(['bot_hits', 'paths'] as const)('sums no hits of %s that are not what was written', async (dataset) => {
  const lake = await openTestLake()
  await lake.logs([GIVEN.line])
  const path = damage(lake.app.change.lakeDir, lake.files(dataset) as never)
  await lake.logs([GIVEN.line.replace('01/Nov', '02/Nov')])
  const before = lake.files()
  const site = lake.app.catalog.sites.get(SITE)
  const removing = deleteLogs(lake.app.change, { site, selection: { from: '2026-11-02' }, dryRun: false })
  await expect(removing).rejects.toThrow(path)
  expect(lake.files()).toEqual(before)
})
