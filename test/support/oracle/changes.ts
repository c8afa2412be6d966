import { ENGINE_IDS } from '../../../src/domain/enums.ts'
import type { ChangesRequest } from '../../../src/reports/changes/contract.ts'
import { groupAnswers } from './groups.ts'
import { isUnder } from './links.ts'
import { ascending, byGroupFields, descending, type Group, inOrderOf, nullsLast, rounded } from './order.ts'
import { studentCritical, studentP } from './student.ts'
import { listWanted } from './visibility.ts'
import type { OracleAnswer, OracleBrand, Truth } from './truth.ts'

interface Found {
  readonly value: number | null
  readonly previous: number | null
  readonly change: number | null
  readonly low: number | null
  readonly high: number | null
  readonly p: number | null
}

interface OracleChange {
  readonly rows: Record<string, unknown>[]
  readonly info: { compare_start_date: string; compare_end_date: string; excluded_cells: number; notes: string[] }
}

/** Rows and info of the changes report, from the answers one by one (contract/api 5.14). */
export function expectChanges(truth: Truth, request: ChangesRequest): OracleChange {
  const { compare_start_date, compare_end_date, group_by } = request
  const before = { ...request, start_date: compare_start_date, end_date: compare_end_date }
  const both = (grouping: readonly string[]) => {
    const [old, now] = [before, request].map((range) => groupAnswers(truth, { ...range, group_by: grouping }))
    const groups = [...old!, ...now!].map(({ group }) => group)
    const distinct = groups.filter(
      (group, index) => groups.findIndex((other) => JSON.stringify(other) === JSON.stringify(group)) === index,
    )
    const answersOf = (list: typeof old, group: Group) =>
      list!.find((other) => JSON.stringify(other.group) === JSON.stringify(group))?.answers ?? []
    return distinct.map((group) => ({ group, old: answersOf(old, group), now: answersOf(now, group) }))
  }
  const groups = both(group_by)
  if (groups.length === 0 && group_by.length === 0) groups.push({ group: {}, old: [], now: [] })

  const found = groups.flatMap(({ group, old, now }) =>
    listWanted(truth.brands, request.brands).map((brand) => {
      const cells = toCells(old, now)
      const common = cells.filter((cell) => cell.old.length > 0 && cell.now.length > 0)
      return {
        ...group,
        brand,
        ...measure(request, truth, brand, common),
        cells: common.length,
        excluded: cells.length - common.length,
      }
    }),
  )
  const ps = found.flatMap(({ p }) => (p === null ? [] : [p]))
  const judged = found.map((row) => {
    const q = row.p === null ? null : toQ(row.p, ps)
    const isClear = q !== null && q <= 0.1 && row.p! <= 0.05 && row.change !== 0
    const verdict = q === null ? 'not_enough_data' : !isClear ? 'no_change' : row.change! > 0 ? 'up' : 'down'
    return { ...row, q, verdict }
  })
  const rows = judged.sort(
    inOrderOf(
      ascending(({ verdict }) => ['up', 'down', 'no_change', 'not_enough_data'].indexOf(verdict)),
      nullsLast(({ change }) => (change === null ? null : rounded(Math.abs(change))), descending),
      byGroupFields(group_by),
      ascending(({ brand }) => brand.name),
    ),
  )
  return {
    rows: rows.map(({ brand, ...row }) => ({ ...row, brand: { name: brand.name, owned: brand.isOwn } })),
    info: {
      compare_start_date,
      compare_end_date,
      excluded_cells: both(['prompt', 'platform']).filter(({ old, now }) => old.length === 0 || now.length === 0)
        .length,
      notes: listNotes(both(['platform']), request),
    },
  }
}

interface OracleCell {
  readonly prompt: string
  readonly old: readonly OracleAnswer[]
  readonly now: readonly OracleAnswer[]
}

function toCells(old: readonly OracleAnswer[], now: readonly OracleAnswer[]): OracleCell[] {
  const nameOf = ({ prompt, platform }: OracleAnswer) => JSON.stringify([prompt.id, platform])
  return [...new Set([...old, ...now].map(nameOf))].map((name) => ({
    prompt: (JSON.parse(name) as string[])[0]!,
    old: old.filter((answer) => nameOf(answer) === name),
    now: now.filter((answer) => nameOf(answer) === name),
  }))
}

type Counts = (answers: readonly OracleAnswer[]) => { n: number; s: number }

function measure(request: ChangesRequest, truth: Truth, brand: OracleBrand, cells: readonly OracleCell[]): Found {
  const ranked = new Set(truth.brands.filter((other) => other.isConfirmed || other === brand))
  const named: Counts = (answers) => ({
    n: answers.length,
    s: answers.filter(({ brands }) => brands.includes(brand)).length,
  })
  const cited: Counts = (answers) => ({
    n: answers.length,
    s: answers.filter(({ links }) => links.some(({ host }) => brand.domains.some((domain) => isUnder(host, domain))))
      .length,
  })
  const voiced: Counts = (answers) => ({
    n: answers.reduce((sum, { brands }) => sum + brands.filter((other) => ranked.has(other)).length, 0),
    s: named(answers).s,
  })
  const { metric } = request
  const counts = metric === 'citation_rate' ? cited : metric === 'share_of_voice' ? voiced : named
  if (request.group_by.includes('prompt')) return measureOne(cells, counts)
  if (metric === 'prompt_coverage') return conclude([{ factor: 1, terms: covered(cells, named) }], 1)
  if (metric !== 'visibility_score') return conclude([{ factor: 1, terms: rates(cells, counts) }], 1)
  const score = [
    { factor: 45, terms: rates(cells, named) },
    { factor: 35, terms: rates(cells, cited) },
    { factor: 20, terms: covered(cells, named) },
  ]
  return conclude(score, 100)
}

interface Term {
  readonly prompt: string
  readonly weight: number
  readonly old: number
  readonly now: number
}

function rates(cells: readonly OracleCell[], counts: Counts): Term[] {
  return cells.flatMap((cell) => {
    const [old, now] = [counts(cell.old), counts(cell.now)]
    if (old.n * now.n === 0) return []
    return [{ prompt: cell.prompt, weight: 1 / (1 / old.n + 1 / now.n), old: old.s / old.n, now: now.s / now.n }]
  })
}

function covered(cells: readonly OracleCell[], counts: Counts): Term[] {
  return [...new Set(cells.map(({ prompt }) => prompt))].map((prompt) => {
    const own = cells.filter((cell) => cell.prompt === prompt)
    const share = (range: 'old' | 'now') =>
      1 -
      own.reduce((missed, cell) => {
        const { n, s } = counts(cell[range])
        const kept = BigInt(Math.min(cell.old.length, cell.now.length))
        return missed * ratio(choose(BigInt(n - s), kept), choose(BigInt(n), kept))
      }, 1)
    return { prompt, weight: 1, old: share('old'), now: share('now') }
  })
}

function choose(n: bigint, k: bigint): bigint {
  if (k > n) return 0n
  let ways = 1n
  for (let i = 1n; i <= k; i++) ways = (ways * (n - k + i)) / i
  return ways
}

const ratio = (a: bigint, b: bigint): number => Number((a * 10n ** 20n) / b) / 1e20

function conclude(measures: readonly { factor: number; terms: readonly Term[] }[], max: number): Found {
  const prompts = [...new Set(measures.flatMap(({ terms }) => terms.map(({ prompt }) => prompt)))]
  const nothing = { value: null, previous: null, change: null, low: null, high: null, p: null }
  if (prompts.length === 0) return nothing
  const mean = (terms: readonly Term[], of: (term: Term) => number) =>
    terms.reduce((sum, term) => sum + term.weight * of(term), 0) / terms.reduce((sum, { weight }) => sum + weight, 0)
  const total = (of: (term: Term) => number) =>
    measures.reduce((sum, { factor, terms }) => sum + factor * mean(terms, of), 0)
  const [value, previous] = [total(({ now }) => now), total(({ old }) => old)]
  const change = total(({ now, old }) => now - old)
  const unsure = { value, previous, change, low: null, high: null, p: null }
  const size = prompts.length
  if (size < 6) return unsure
  const ofPrompt = (prompt: string, less: boolean) =>
    measures.reduce((sum, { factor, terms }) => {
      const mine = mean(terms, ({ now, old }) => now - old)
      return (
        sum + factor * mean(terms, (term) => (term.prompt === prompt ? term.now - term.old - (less ? mine : 0) : 0))
      )
    }, 0)
  const variance = (size / (size - 1)) * prompts.reduce((sum, prompt) => sum + ofPrompt(prompt, true) ** 2, 0)
  const judged = interval(change, Math.sqrt(variance), size - 1, max)
  const isFlipped = size < 12 && judged.low !== null
  return {
    ...unsure,
    ...judged,
    ...(isFlipped && { p: flip(prompts.map((prompt) => ofPrompt(prompt, false))) }),
  }
}

function interval(change: number, spread: number, df: number, max: number) {
  if (spread < 1e-9 * max) return { low: null, high: null, p: Math.abs(change) < 1e-9 * max ? 1 : 0 }
  const half = studentCritical(df) * spread
  return {
    low: Math.max(-max, change - half),
    high: Math.min(max, change + half),
    p: studentP(change / spread, df),
  }
}

function flip(parts: readonly number[]): number {
  const sums = parts.reduce<number[]>((all, part) => all.flatMap((sum) => [sum + part, sum - part]), [0])
  const found = Math.abs(parts.reduce((sum, part) => sum + part, 0))
  const slack = 1e-9 * parts.reduce((sum, part) => sum + Math.abs(part), 0)
  return sums.filter((sum) => Math.abs(sum) >= found - slack).length / sums.length
}

/** One prompt: weeks of an engine stand in the place of prompts, in each range by themselves. */
function measureOne(cells: readonly OracleCell[], counts: Counts): Found {
  const terms = rates(cells, counts)
  const weighed = cells.filter((cell) => counts(cell.old).n * counts(cell.now).n > 0)
  const { value, previous, change } = conclude([{ factor: 1, terms }], 1)
  const unsure = { value, previous, change, low: null, high: null, p: null }
  if (weighed.length === 0) return unsure
  const all = terms.reduce((sum, { weight }) => sum + weight, 0)
  const spreads = (['old', 'now'] as const).map((range) => {
    const errors = weighed.flatMap((cell, index) => {
      const { n, s } = counts(cell[range])
      const weeks = [...new Set(cell[range].map(({ day }) => weekOf(day)))]
        .map((week) => counts(cell[range].filter(({ day }) => weekOf(day) === week)))
        .filter((week) => week.n > 0)
      return weeks.map((week) => ((terms[index]!.weight / all) * (week.s - (s / n) * week.n)) / n)
    })
    return { count: errors.length, squares: errors.reduce((sum, error) => sum + error ** 2, 0) }
  })
  const df = spreads.reduce((sum, { count }) => sum + count, 0) - 2 * weighed.length
  if (df < 5 || spreads.some(({ count }) => count <= weighed.length)) return unsure
  const variance = spreads.reduce((sum, { count, squares }) => sum + (count / (count - weighed.length)) * squares, 0)
  return { ...unsure, ...interval(change!, Math.sqrt(variance), df, 1) }
}

/** Weeks from Monday on; 1970-01-01 was a Thursday. */
const weekOf = (day: string): number => Math.floor((Date.parse(day) / 86_400_000 + 3) / 7)

/** The least share of false findings at which this p is one of the findings. */
function toQ(p: number, ps: readonly number[]): number {
  const shares = ps
    .filter((other) => other >= p)
    .map((other) => (other * ps.length) / ps.filter((smaller) => smaller <= other).length)
  return Math.min(1, ...shares)
}

function listNotes(
  engines: readonly { group: Group; old: readonly OracleAnswer[]; now: readonly OracleAnswer[] }[],
  { start_date, end_date, compare_start_date, compare_end_date }: ChangesRequest,
): string[] {
  return ENGINE_IDS.flatMap((engine) => {
    const found = engines.find(({ group }) => group.platform === engine)
    if (found === undefined) return []
    const gaps = (
      [
        [compare_start_date, compare_end_date, found.old],
        [start_date, end_date, found.now],
      ] as const
    ).flatMap(([start, end, answers]) => {
      const days = listDays(start, end)
      const runs: string[][] = [[]]
      for (const day of days) {
        if (answers.some((answer) => answer.day === day)) runs.push([])
        else runs.at(-1)!.push(day)
      }
      const missing = runs.filter((run) => run.length > 0)
      const count = missing.flat().length
      if (count === 0) return []
      if (count === days.length) return [`${engine}: no answers from ${start} to ${end}.`]
      const names = missing.map((run) => (run.length === 1 ? run[0]! : `${run[0]} to ${run.at(-1)}`))
      return [`${engine}: no answers on ${count} of ${days.length} days from ${start} to ${end}: ${listSome(names)}.`]
    })
    const [before, after] = [found.old, found.now].map((answers) =>
      [...new Set(answers.flatMap(({ model }) => (model ? [model] : [])))].sort((a, b) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      ),
    ) as [string[], string[]]
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    if (isSame || before.length === 0 || after.length === 0) return gaps
    const change =
      `${engine}: the model changed, from ${listSome(before)} (${compare_start_date} to ${compare_end_date}) ` +
      `to ${listSome(after)} (${start_date} to ${end_date}).`
    return [...gaps, change]
  })
}

function listSome(names: readonly string[]): string {
  return [...names.slice(0, 5), ...(names.length > 5 ? [`${names.length - 5} more`] : [])].join(', ')
}

function listDays(start: string, end: string): string[] {
  const days = []
  for (let ms = Date.parse(start); ms <= Date.parse(end); ms += 86_400_000) {
    days.push(new Date(ms).toISOString().slice(0, 10))
  }
  return days
}
