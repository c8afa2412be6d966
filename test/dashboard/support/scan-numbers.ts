import type { Page } from 'playwright-core'
import type { ScanLook } from '../../../src/http/dashboard/operations/get-scan.ts'
import { listBareNumbers, readValues, type ShownValue } from './values.ts'
import { writeLongDay, writeMinute, writeMoment } from './written-values.ts'

type Expected = readonly [where: string, key: string, label: string, metric: string, value: number | null]
type Line = readonly [label: string, metric: string, value: number | null]

/** What is wrong with the numbers of a scan view that should show this. */
export async function listScanFaults(page: Page, look: ScanLook): Promise<readonly string[]> {
  const shown = (await readValues(page)).filter(({ where }) => where !== DIALOG)
  return [
    ...compare(shown, listNumbers(look)),
    ...shown.filter((one) => !saysAmount(one)).map(({ metric, value, text }) => `${metric}: “${text}” of ${value}`),
    ...(await listBareNumbers(page, listWords(look))).map((word) => `${word} has no value`),
  ]
}

/** The same of the dialog that begins a scan. */
export async function listRunFaults(page: Page, look: ScanLook): Promise<readonly string[]> {
  const shown = (await readValues(page)).filter(({ where }) => where === DIALOG)
  const { open, minutes, budget } = look.plan
  const rests = [
    [budget?.usd_day, budget?.spent_usd_day],
    [budget?.usd_month, budget?.spent_usd_month],
  ].flatMap(([limit, spent = 0]) => (typeof limit === 'number' ? [limit - (spent ?? 0)] : []))
  const expected = [
    ...inside(DIALOG, '', [['', 'open.calls', open.calls], ...costOf('', open), ['', 'minutes', minutes]]),
    ...look.targets
      .filter((target) => target.open.calls > 0)
      .flatMap((target) =>
        inside(DIALOG, target.id, [['Calls', 'open.calls', target.open.calls], ...costOf('Cost', target.open)]),
      ),
    ...inside(DIALOG, '', rests.length === 0 ? [] : [['', 'left_usd', Math.max(0, Math.min(...rests))]]),
  ]
  return [
    ...compare(shown, expected),
    ...shown.filter((one) => !saysAmount(one)).map(({ metric, value, text }) => `${metric}: “${text}” of ${value}`),
  ]
}

const DIALOG = 'Ask the engines now?'

const inside = (where: string, key: string, lines: readonly Line[]): readonly Expected[] =>
  lines.map((line) => [where, key, ...line])

const costOf = (label: string, open: ScanLook['plan']['open']): readonly Line[] => [
  [label, 'open.cost_usd_low', open.cost_usd_low],
  [label, 'open.cost_usd_high', open.cost_usd_high],
]

/** A limit that isn't set isn't shown. */
const limitOf = (label: string, metric: string, limit: number | null): readonly Line[] =>
  limit === null ? [] : [[label, metric, limit]]

/** Every number that the view is to show. */
function listNumbers({ plan, targets, last, running, runs }: ScanLook): readonly Expected[] {
  const { open, budget } = plan
  const done = (last?.targets ?? []).map(({ calls, planned, asked, task }) => calls - planned - asked - task)
  const calls = sum((last?.targets ?? []).map((target) => target.calls))
  const outcome = running === null ? 'Last scan' : 'So far today'
  return [
    ...inside('Today', '', [
      ...(running === null ? [] : ([['', 'done', sum(done)] as const, ['', 'last.calls', calls] as const] as const)),
      ['Open', 'open.calls', open.calls],
      ['Open', 'made', plan.made],
      ['Open', 'calls', plan.calls],
      ...costOf('Cost of what is open', open),
      ...limitOf('Cost of what is open', 'minutes', open.calls === 0 ? null : plan.minutes),
      ['Budget of the day', 'budget.spent_usd_day', budget?.spent_usd_day ?? null],
      ...limitOf('Budget of the day', 'budget.usd_day', budget?.usd_day ?? null),
      ['Budget of the month', 'budget.spent_usd_month', budget?.spent_usd_month ?? null],
      ...limitOf('Budget of the month', 'budget.usd_month', budget?.usd_month ?? null),
    ]),
    ...plan.cannot.flatMap(({ target, reason, prompts }) =>
      inside('Today', `${target} ${reason}`, [['', 'prompts', prompts]]),
    ),
    ...targets.flatMap((target) =>
      inside('Targets', target.id, [
        ['A call', 'call_usd_low', target.call_usd_low],
        ['A call', 'call_usd_high', target.call_usd_high],
        ['Calls a day', 'planned_calls', target.planned_calls],
        ['Open today', 'open.calls', target.open.calls],
        ...(target.open.calls === 0 ? [] : costOf('Cost of open', target.open)),
        ...limitOf('Own limit', 'usd_day', target.usd_day),
        ...limitOf('Own limit', 'usd_month', target.usd_month),
      ]),
    ),
    ...(last === null ? [] : inside(outcome, '', [['', 'calls', calls]])),
    ...(last?.targets ?? []).flatMap((target) =>
      inside(outcome, target.id, [
        ['Calls', 'calls', target.calls],
        ['Waiting', 'waiting', target.planned + target.asked + target.task],
        ['Answered', 'answered', target.answered],
        ['No answer', 'no_answer', target.no_answer],
        ['Failed', 'failed', target.failed],
        ['Uncertain', 'uncertain', target.uncertain],
        ['Skipped', 'skipped_budget', target.skipped_budget],
        ['Cost', 'spent_usd', target.cost_usd + target.reserved_usd],
        ['Seconds', 'median_seconds', target.median_seconds],
      ]),
    ),
    ...(last?.targets ?? []).flatMap(({ id, reasons }) =>
      reasons.flatMap(({ status, reason, calls: count }) =>
        inside(outcome, `${id} ${status} ${reason}`, [['', 'calls', count]]),
      ),
    ),
    ...runs.flatMap(({ id, cost_usd }) => inside('Runs', id, [['Cost', 'cost_usd', cost_usd]])),
  ]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

function compare(shown: readonly ShownValue[], expected: readonly Expected[]): readonly string[] {
  const given = expected.map((one) => JSON.stringify(one))
  const read = shown.map(({ where, key, label, metric, value }) => JSON.stringify([where, key, label, metric, value]))
  return [
    ...without(given, read).map((line) => `the service gives ${line}`),
    ...without(read, given).map((line) => `the page shows ${line}`),
  ]
}

/** What is in a list more often than in the other. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Whether what is read is the value to its last digit: of a range its first number or its last. */
function saysAmount({ metric, value, text }: ShownValue): boolean {
  const numbers = text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []
  const read = metric.endsWith('_low') ? numbers[0] : numbers.at(-1)
  if (value === null || read === undefined) return value === null && text === '–'
  const digits = read.split('.')[1]?.length ?? 0
  const isMoney = text.includes('$')
  const isFine = value > 0 && value < 0.1 && numbers.length === 1
  if (isMoney && digits < (isFine ? 4 : 2)) return false
  return Math.abs(Number(read.replaceAll(',', '')) - value) <= 0.5 * 10 ** -digits + 1e-9
}

/** What has digits and is no number. */
function listWords({ plan, targets, schedules, last, running, runs }: ScanLook): readonly string[] {
  const moments = [running?.started_at, ...runs.flatMap(({ started_at, ended_at }) => [started_at, ended_at])]
  return [
    writeLongDay(plan.date),
    writeLongDay(last?.date ?? plan.date),
    ...schedules.flatMap(({ cron, next_at }) => [cron, next_at === null ? '' : writeMinute(next_at)]),
    ...plan.cannot.map(({ reason }) => reason),
    ...targets.flatMap(({ id, model, problem }) => [id, model ?? '', problem ?? '']),
    ...(last?.targets ?? []).flatMap(({ id, reasons }) => [id, ...reasons.map(({ reason }) => reason)]),
    ...runs.map(({ reason }) => reason ?? ''),
    ...moments.flatMap((at) => (at === null || at === undefined ? [] : [writeMoment(at), writeMinute(at)])),
    'The last 20 at most.',
  ]
}
