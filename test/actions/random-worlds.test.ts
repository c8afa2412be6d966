import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom, type SeededRandom } from '../../data/demo/generator/random.ts'
import { CRAWLER_PROVIDERS } from '../../src/actions/engine-crawlers.ts'
import { openReportRows } from '../../src/actions/report-rows.ts'
import type { SiteView } from '../../src/actions/rule.ts'
import { RULES } from '../../src/actions/rules/index.ts'
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { openSiteView } from '../../src/actions/site-view.ts'
import { windowBefore, windowEndingOn } from '../../src/actions/windows.ts'
import type { EngineId } from '../../src/domain/enums.ts'
import { toLine, toUserAgent } from './support/access-log.ts'
import { type ActionWorld, type ActionWorlds, type AnswerLine, openActionWorlds } from './support/action-world.ts'

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed)
const SEEDS_AT_ONCE = 4
const ENGINES: readonly EngineId[] = ['chatgpt', 'perplexity', 'gemini', 'claude']
const RIVALS = ['Bolt', 'Zed', 'Third']
const PROMPTS = Array.from({ length: 12 }, (_, index) => ({
  text: `prompt ${index}`,
  category: index % 2 === 0 ? ('Discovery' as const) : ('Pricing' as const),
}))
const PAGES = Array.from({ length: 5 }, (_, index) => `https://www.page-${index}.example/`)
const PATHS = Array.from({ length: 6 }, (_, index) => `/page-${index}`)
const SITES = Array.from({ length: 3 }, (_, index) => `https://www.site-${index}.example/`)

/** Seeds that share a site, each in windows of its own: imports are dearer than days. */
const SEEDS_A_SITE = 20

let worlds: ActionWorlds
let sites: readonly ActionWorld[]
beforeAll(async () => {
  worlds = await openActionWorlds()
  sites = Array.from({ length: SEEDS.length / SEEDS_A_SITE }, () =>
    worlds.create({
      prompts: Object.fromEntries(PROMPTS.map(({ text, category }) => [text, category])),
      competitors: RIVALS.map((name) => ({ name })),
      platforms: ENGINES,
    }),
  )
  for (const site of sites) {
    const seeds = SEEDS.filter((seed) => siteOf(seed) === site)
    await site.import(...seeds.map((seed) => makeAnswers(seed)))
    await site.importLog(...seeds.map((seed) => makeLog(seed)))
  }
}, 300_000)
afterAll(() => worlds.close())

function siteOf(seed: number): ActionWorld {
  return sites[Math.floor(seed / SEEDS_A_SITE)]!
}

function lastDayOf(seed: number): string {
  return toDay(Date.parse('2023-03-01') + (seed % SEEDS_A_SITE) * 56 * 86_400_000)
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** A world without differences: every brand, source, engine, prompt and window follows the same chances. */
function makeAnswers(seed: number): readonly AnswerLine[] {
  const random = seededRandom(`random world ${seed}`)
  const chances = {
    named: random.pick([0.03, 0.1, 0.4, 0.97]),
    cited: random.pick([0.1, 0.2, 0.4]),
    judged: random.pick([0.3, 0.45, 0.5]),
  }
  const last = Date.parse(lastDayOf(seed))
  const lines: AnswerLine[] = []
  for (const { text } of PROMPTS) {
    // The window has 32 answers of each prompt, the one before 16.
    for (let index = 0; index < 48; index++) {
      const daysAgo = index < 32 ? index % 28 : 28 + (index % 28)
      lines.push(makeAnswer(random, chances, `${seed}-${lines.length}`, text, toDay(last - daysAgo * 86_400_000)))
    }
  }
  return lines
}

function makeAnswer(
  random: SeededRandom,
  chances: { named: number; cited: number; judged: number },
  id: string,
  prompt: string,
  date: string,
): AnswerLine {
  const isCited = () => random.chance(chances.cited)
  const mood = random.next()
  return {
    id,
    date,
    platform: random.pick(ENGINES),
    prompt,
    text: 'An answer.',
    mentions: ['Acme', ...RIVALS].filter(() => random.chance(chances.named)),
    citations: [
      ...(isCited() ? [`https://acme.com/${random.between(1, 3)}`] : []),
      ...PAGES.filter(isCited),
      ...SITES.filter(isCited).map((site) => `${site}${random.between(1, 4)}`),
    ],
    sentiment: mood < chances.judged ? 'negative' : mood < 2 * chances.judged ? 'positive' : 'neutral',
  }
}

/** Every provider comes on a day with the same chance, and meets errors on every page with the same chance. */
function makeLog(seed: number): readonly string[] {
  const random = seededRandom(`random log ${seed}`)
  const chances = { comes: random.pick([0.1, 0.3, 0.8]), fails: random.pick([0.05, 0.3, 0.5]) }
  const hitsADay = Math.round(2 / chances.comes)
  const lines: string[] = []
  for (let daysAgo = 27; daysAgo >= 0; daysAgo--) {
    const moment = new Date(Date.parse(lastDayOf(seed)) - daysAgo * 86_400_000)
    const hit = (bot: string): void => {
      const status = random.chance(chances.fails) ? 404 : 200
      lines.push(toLine({ moment, path: random.pick(PATHS), status, userAgent: toUserAgent(bot) }))
    }
    hit('Applebot')
    for (const { crawlers } of CRAWLER_PROVIDERS) {
      const bot = random.pick(crawlers)
      if (random.chance(chances.comes)) for (let count = 0; count < hitsADay; count++) hit(bot)
    }
  }
  return lines
}

test(
  'in 100 random worlds fewer than 5 % of the chances of rules with a test make a finding',
  { timeout: 300_000 },
  async () => {
    const rules = RULES.filter(({ cadence }) => cadence === undefined)
    const found = Object.fromEntries(rules.map(({ name }) => [name, 0]))
    const look = async (seed: number): Promise<void> => {
      const { app, site } = siteOf(seed)
      const view = openSiteView(app.catalog, site.id, {
        reports: openReportRows(app.reporting, site.id),
        studentT: await loadStudentT(),
        nowMs: Date.parse(lastDayOf(seed)),
      })!
      const window = windowEndingOn(lastDayOf(seed))
      const ofSeed: SiteView = { ...view, window, previous: windowBefore(window), logWindow: window }
      for (const rule of rules) if ((await rule.find(ofSeed)).length > 0) found[rule.name]! += 1
    }
    for (let first = 0; first < SEEDS.length; first += SEEDS_AT_ONCE) {
      await Promise.all(SEEDS.slice(first, first + SEEDS_AT_ONCE).map(look))
    }
    const chances = SEEDS.length * rules.length
    const sum = Object.values(found).reduce((all, count) => all + count, 0)
    expect(sum / chances).toBeLessThan(0.05)
    // What docs/actions.md says.
    expect(found).toEqual({
      competitors_named: 0,
      weak_category: 0,
      weak_engine: 2,
      missed_page: 0,
      missed_domain: 0,
      lost_page: 0,
      crawler_errors: 1,
      absent_crawlers: 0,
      negative_answers: 0,
    })
  },
)
