import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReportRows } from '../../src/actions/report-rows.ts'
import { CATEGORIES } from '../../src/domain/enums.ts'
import { shiftDay } from '../../src/domain/day.ts'
import { isUnder, type OracleLink, toRegistrableDomain } from '../support/oracle/links.ts'
import { type OracleAnswer, readTruth } from '../support/oracle/truth.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { type ServedWorld, serveWorld } from '../reports/support/served-world.ts'

const world = makeWorld('cards')
const truth = readTruth(world)
const days = truth.answers.map(({ day }) => day).toSorted()
const [first = '', last = ''] = [days[0], days.at(-1)]
const RANGES = [
  { first, last },
  { first: shiftDay(first, 1), last },
  { first, last: shiftDay(last, -2) },
  { first: last, last },
  { first: shiftDay(last, 1), last: shiftDay(last, 9) },
]
const owned = truth.brands.filter(({ isOwn, isConfirmed }) => isOwn || isConfirmed).flatMap(({ domains }) => domains)

let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

const inRange = (range: { first: string; last: string }): OracleAnswer[] =>
  truth.answers.filter(({ day }) => day >= range.first && day <= range.last)
const isOwnLink = ({ host }: OracleLink): boolean => isUnder(host, world.site.domain)
const bySlice = (answers: readonly OracleAnswer[]): Map<string, OracleAnswer[]> =>
  Map.groupBy(answers, ({ platform, prompt }) => `${platform} ${prompt.id}`)
const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

it('asks about days with answers', () => {
  expect(inRange(RANGES[0]!).length).toBeGreaterThan(100)
})

it.each(RANGES)('counts the own brand by prompt and engine as a loop does, $first to $last', async (range) => {
  const expected = [...bySlice(inRange(range)).values()].map((answers) => ({
    prompt_id: answers[0]!.prompt.id,
    platform: answers[0]!.platform,
    answers: answers.length,
    named: answers.filter(({ brands }) => brands.some(({ isOwn }) => isOwn)).length,
    cited: answers.filter(({ links }) => links.some(isOwnLink)).length,
  }))
  const rows = await openReportRows(served.app.reporting, world.site.id).ownAnswers(range, {})
  expect(sorted(rows)).toEqual(sorted(expected))
})

it.each(RANGES)('counts the own pages by prompt and engine as a loop does, $first to $last', async (range) => {
  const expected = [...bySlice(inRange(range)).values()].flatMap((answers) => {
    const pages = new Set(answers.flatMap(({ links }) => links.filter(isOwnLink).map(({ page }) => page)))
    pages.delete(null)
    return [...pages].map((page) => ({
      prompt_id: answers[0]!.prompt.id,
      platform: answers[0]!.platform,
      answers: answers.filter(({ links }) => links.some((link) => link.page === page)).length,
      page,
    }))
  })
  const rows = await openReportRows(served.app.reporting, world.site.id).ownPages(range, {})
  expect(sorted(rows)).toEqual(sorted(expected))
})

it.each(RANGES)('counts cited third parties by category as a loop does, $first to $last', async (range) => {
  const least = { domain: 3, page: 2 }
  // One category is left out.
  const asked = CATEGORIES.slice(1)
  const brandDomains = new Set(
    truth.answers.flatMap(({ links }) =>
      links.filter(({ host }) => owned.some((domain) => isUnder(host, domain))).map(({ domain }) => domain),
    ),
  )
  const counted = (
    answers: readonly OracleAnswer[],
    toName: (link: OracleLink) => string | null,
  ): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { links } of answers) {
      const names = new Set(links.filter(({ domain }) => !brandDomains.has(domain)).map(toName))
      for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  }
  const expected = asked.flatMap((category) => {
    const answers = inRange(range).filter(({ prompt }) => prompt.category === category)
    const often = [...counted(answers, ({ domain }) => domain)].filter(([, count]) => count >= least.domain)
    const pages = [...counted(answers, ({ page }) => page)]
      .map(([page, count]) => ({ domain: toRegistrableDomain(new URL(page).hostname), page, count }))
      .filter(({ domain, count }) => count >= least.page && often.some(([name]) => name === domain))
    return [
      ...often.map(([domain, count]) => ({ category, domain, page: null, answers: count })),
      ...pages.map(({ domain, page, count }) => ({ category, domain, page, answers: count })),
    ]
  })
  const rows = await openReportRows(served.app.reporting, world.site.id).citedSources(range, {
    answersMin: Object.fromEntries(asked.map((category) => [category, least])),
  })
  expect(sorted(rows.map(({ category, domain, page, answers }) => ({ category, domain, page, answers })))).toEqual(
    sorted(expected),
  )
})
