import type { SeededRandom } from '../../../data/demo/generator/random.ts'
import { ENGINE_IDS } from '../../../src/domain/enums.ts'
import { firstKeptDay } from '../../../src/domain/period.ts'
import { compactLake } from '../../../src/maintenance/compaction.ts'
import { deleteAnswers } from '../../../src/maintenance/delete-answers.ts'
import { deleteLogs } from '../../../src/maintenance/delete-logs.ts'
import { collectGarbage } from '../../../src/maintenance/garbage-collection.ts'
import { enforceRetention } from '../../../src/maintenance/retention.ts'
import { rederiveSite } from '../../../src/maintenance/rederive.ts'
import { findBotByName } from '../../../src/reference/bots.ts'
import { addCall, check, growLog, type History, importEvents } from './history-calls.ts'
import { SITE, WORLD } from './history-lake.ts'
import {
  BOT_NAMES,
  dayOf,
  dayOfEvent,
  keyOf,
  type LogEvent,
  makeEvents,
  makeRecords,
  pathOfEvent,
  promptOf,
} from './history-model.ts'
import { replaceRecords } from './history-replace.ts'
import { judgeRecords, undoOne } from './history-undo.ts'
import type { WorldRecord } from '../../support/oracle/world.ts'

/** One kind of step. `run` does it to the lake and to the model, and throws where the lake's own counts are wrong. */
export interface StepKind {
  readonly name: string
  /** How often it comes, against the others. */
  readonly weight: number
  run(history: History): Promise<void>
}

export const STEPS: readonly StepKind[] = [
  {
    name: 'import answers',
    weight: 5,
    run: (history) => importRecords(history, makeRecords(history.random, history.name)),
  },
  {
    name: 'import answers again',
    weight: 2,
    async run(history) {
      const calls = history.model.calls.filter((call) => call.kind === 'answers')
      if (calls.length > 0) await importRecords(history, history.random.pick(calls).items)
    },
  },
  { name: 'import a log that has grown', weight: 2, run: growLog },
  { name: 'import logs', weight: 4, run: (history) => importEvents(history, makeEvents(history.random, history.name)) },
  {
    name: 'import logs again',
    weight: 1,
    async run(history) {
      const calls = history.model.calls.filter((call) => call.kind === 'logs')
      if (calls.length > 0) await importEvents(history, history.random.pick(calls).items)
    },
  },
  { name: 'replace answers', weight: 4, run: replaceRecords },
  { name: 'delete answers', weight: 3, run: removeRecords },
  { name: 'delete logs', weight: 3, run: removeEvents },
  { name: 'retention', weight: 1, run: retire },
  { name: 'undo an import', weight: 4, run: undoOne },
  { name: 'judge answers', weight: 2, run: judgeRecords },
  {
    name: 'compaction',
    weight: 1,
    run: async ({ lake }) => void (await compactLake(lake.app.change, { isThorough: true })),
  },
  {
    name: 'collection',
    weight: 1,
    run: async ({ lake }) => void (await collectGarbage(lake.app.change, { graceMs: 0 })),
  },
  {
    name: 'rederive',
    weight: 1,
    run: async ({ lake }) => void (await rederiveSite(lake.app.change, { site: lake.app.catalog.sites.get(SITE) })),
  },
]

/** Takes in what isn't known yet, the first record of each key. */
async function importRecords({ lake, model }: History, items: readonly WorldRecord[]): Promise<void> {
  const known = new Set(model.records.map(({ item }) => keyOf(item)))
  const fresh = items.filter((record) => !known.has(keyOf(record)) && known.add(keyOf(record)))
  const result = await lake.answers(items)
  check('imported and no_answer', result.imported + result.no_answer, fresh.length)
  const call = addCall({ lake, model }, 'answers', items)
  model.records.push(...fresh.map((item) => ({ item, call })))
}

async function removeRecords({ lake, model, random }: History): Promise<void> {
  const { from, to } = makeDays(random)
  const prompt = random.chance(0.4) ? random.pick(WORLD.prompts) : undefined
  const platform = random.chance(0.3) ? random.pick(ENGINE_IDS) : undefined
  const prompts = prompt && lake.app.catalog.prompts.listByIds(SITE, [prompt.id])
  const isMeant = (record: WorldRecord): boolean =>
    isWithin(dayOf(record), { from, to }) &&
    (prompt === undefined || promptOf(record).id === prompt.id) &&
    (platform === undefined || record.platform === platform)
  const meant = model.records.filter(({ item }) => isMeant(item))
  const result = await deleteAnswers(lake.app.change, {
    site: lake.site,
    selection: { from, to, prompts, platform },
    dryRun: false,
  })
  check('deleted answers and no_answers', result.answers + result.no_answers, meant.length)
  model.records = model.records.filter((held) => !meant.includes(held))
}

async function removeEvents({ lake, model, random }: History): Promise<void> {
  const { from, to } = makeDays(random)
  const path = random.chance(0.4) ? random.pick(['/docs/*', '/pricing', "/x'*", '/nowhere']) : undefined
  const botName = random.chance(0.3) ? random.pick(BOT_NAMES) : undefined
  const isMeant = (event: LogEvent): boolean =>
    isWithin(dayOfEvent(event), { from, to }) &&
    (path === undefined ||
      (path.endsWith('*') ? pathOfEvent(event).startsWith(path.slice(0, -1)) : pathOfEvent(event) === path)) &&
    (botName === undefined || event.hit?.bot.name === botName)
  const meant = model.events.filter(({ item }) => isMeant(item))
  const bot = botName === undefined ? undefined : findBotByName(botName)
  const selection = { from, to, path, bot }
  const result = await deleteLogs(lake.app.change, { site: lake.site, selection, dryRun: false })
  check('deleted hits', result.bot_hits, meant.filter(({ item }) => item.hit).length)
  check('deleted visits', result.visits, meant.filter(({ item }) => item.visit).length)
  model.events = model.events.filter((held) => !meant.includes(held))
}

/** Months in changes of their own, of answers, logs or both. */
async function retire({ lake: { app }, model, random }: History): Promise<void> {
  const period = `${random.between(5, 50)}d`
  const firstDay = firstKeptDay(period, app.clock.now())!
  const ofAnswers = random.chance(0.6)
  const ofLogs = !ofAnswers || random.chance(0.5)
  const toPeriod = (isSet: boolean): string => (isSet ? period : 'keep')
  const retention = {
    retentionAnswers: toPeriod(ofAnswers),
    retentionLogs: toPeriod(ofLogs),
    retentionRaw: 'keep',
  }
  await enforceRetention(app.change, { retention })
  if (ofAnswers) model.records = model.records.filter(({ item }) => dayOf(item) >= firstDay)
  if (ofLogs) model.events = model.events.filter(({ item }) => dayOfEvent(item) >= firstDay)
}

interface Days {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function makeDays(random: SeededRandom): Days {
  const [first, last] = [random.pick(WORLD.days), random.pick(WORLD.days)].sort()
  return random.pick([{ from: first, to: last }, { from: last }, { to: first }, { from: first, to: first }, {}])
}

function isWithin(day: string, { from = '', to = '~' }: Days): boolean {
  return day >= from && day <= to
}
