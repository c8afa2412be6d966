import type { SeededRandom } from '../../../data/demo/generator/random.ts'
import { type HistoryLake, SITE } from './history-lake.ts'
import { type Call, type HistoryModel, type LogEvent, makeEvents } from './history-model.ts'

/** A history under way: the lake, what it should hold, and the chance that decides. */
export interface History {
  readonly lake: HistoryLake
  readonly model: HistoryModel
  readonly random: SeededRandom
  /** Different in each step of each sequence. */
  readonly name: string
}

export async function importEvents({ lake, model }: History, items: readonly LogEvent[]): Promise<void> {
  if (isFork(model, items)) return
  const before = findBeginning(model, items)
  const fresh = items.filter(({ line }) => !model.read.has(line))
  const result = await lake.logs(items.map(({ line }) => line))
  check('bot hits', result.bot_hits, fresh.filter(({ hit }) => hit).length)
  check('visits', result.visits, fresh.filter(({ visit }) => visit).length)
  const call = addCall({ lake, model }, 'logs', items)
  for (const { line } of fresh) model.read.set(line, call)
  if (before !== undefined && model.standing.has(call)) model.continues.set(call, before)
  model.events.push(...fresh.map((item) => ({ item, call })))
}

/** Notes a call, and gives its number. One that brought nothing isn't recorded: it has the import id of the one before. */
export function addCall<K extends Call['kind']>(
  { lake, model }: Pick<History, 'lake' | 'model'>,
  kind: K,
  items: Extract<Call, { kind: K }>['items'],
): number {
  const importId = lake.app.catalog.recordedChanges.list({ siteId: SITE, limit: 1 })[0]?.id ?? ''
  const isNew = importId !== '' && model.calls.every((call) => call.importId !== importId)
  const number = model.calls.push({ kind, importId, items } as Call) - 1
  if (isNew) model.standing.add(number)
  return number
}

/** Imports a log that begins as an earlier one. */
export async function growLog(history: History): Promise<void> {
  const { model, random, name } = history
  const logs = model.calls.filter((call) => call.kind === 'logs')
  if (logs.length === 0) return
  await importEvents(history, [...random.pick(logs).items, ...makeEvents(random, name)])
}

/** The longest standing log that this one begins with: an import goes on where that ends. */
function findBeginning(model: HistoryModel, items: readonly LogEvent[]): number | undefined {
  const [longest] = listStandingLogs(model)
    .filter(({ log }) => log.length < items.length && isBeginning(log, items))
    .sort((a, b) => b.log.length - a.log.length)
  return longest?.number
}

/**
 * Whether a standing log goes on for some lines beyond the last place where one ends, and then stops or differs: these lines
 * would count again (contract/logs 8), which isn't tried here.
 */
function isFork(model: HistoryModel, items: readonly LogEvent[]): boolean {
  const standing = listStandingLogs(model).map(({ log }) => log)
  const shared = standing.map((log) => countShared(log, items))
  const ended = standing.map((log) => (isBeginning(log, items) ? log.length : 0))
  return Math.max(0, ...shared) > Math.max(0, ...ended)
}

function countShared(log: readonly LogEvent[], items: readonly LogEvent[]): number {
  const differs = log.findIndex(({ line }, index) => line !== items[index]?.line)
  return differs === -1 ? log.length : differs
}

function listStandingLogs(model: HistoryModel): { number: number; log: readonly LogEvent[] }[] {
  return [...model.standing].flatMap((number) => {
    const call = model.calls[number]
    return call?.kind === 'logs' ? [{ number, log: call.items }] : []
  })
}

const isBeginning = (short: readonly LogEvent[], long: readonly LogEvent[]): boolean =>
  short.every(({ line }, index) => line === long[index]?.line)

/** What the lake counts itself must be right, too. */
export function check(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`)
}
