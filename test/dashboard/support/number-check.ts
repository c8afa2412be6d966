import type { Asked, Row } from './asked.ts'
import type { ShownNumber } from './shown-numbers.ts'
import { toWrittenNames } from './written-names.ts'

/** A question with all rows that `/v1` gives for it. */
export interface Reply {
  readonly question: Asked
  readonly rows: readonly Row[]
}

/** Counts that add up over rows of one report. */
const SUMS = new Set(['hits', 'error_hits', 'visits', 'citations', 'answers'])

/** Says why a shown number is none of these replies' own; nothing where it is one. */
export function findFault(shown: ShownNumber, replies: readonly Reply[]): string | undefined {
  if (shown.value === null) return findTextFault(shown, replies)
  if (shown.value === '') return findGapFault(shown, replies)
  const value = Number(shown.value)
  // A change that chance explains is said in words.
  const isInWords = shown.metric === 'change' && readNumbers(shown.text).length === 0
  if (!isInWords && !saysNumber(shown.text, value)) return `reads “${shown.text}”, which is not ${shown.value}`
  if (shown.metric === null) return 'does not say what it is'
  const rows = replies.flatMap((reply) => listFitting(shown, reply))
  const same = rows.filter((row) => row[shown.metric ?? ''] === value)
  if (same.length > 0) return findBasisFault(shown, same)
  if (isDerived(shown, value, replies)) return undefined
  const given = [...new Set(rows.map((row) => String(row[shown.metric ?? ''])))].slice(0, 5).join(', ')
  return `shows ${shown.value}, the API gives ${given === '' ? 'nothing' : given}`
}

/** A cell that only has a text: its number must be one of its row's. */
function findTextFault(shown: ShownNumber, replies: readonly Reply[]): string | undefined {
  const [first] = readNumbers(shown.text)
  if (first === undefined) return undefined
  const rows = replies.flatMap((reply) => listFitting(shown, reply))
  const isRead = DAY.test(shown.text)
    ? rows.flatMap(listWords).some((word) => toShortDay(word) === shown.text.trim())
    : rows.flatMap(listNumbers).some((value) => isRounded(first, value))
  return isRead ? undefined : `reads “${shown.text}”, which no row has`
}

const DAY = /^\d{1,2} [A-Z][a-z]{2,3}$/
const shortDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const toShortDay = (word: string): string =>
  /^\d{4}-\d\d-\d\d/.test(word) ? shortDay.format(new Date(word.slice(0, 10))) : ''

/** Where nothing is shown, there must be nothing. */
function findGapFault(shown: ShownNumber, replies: readonly Reply[]): string | undefined {
  const { metric } = shown
  if (metric === null) return 'does not say what it is'
  const rows = replies.flatMap((reply) => listFitting(shown, reply))
  const isBlank = (row: Row): boolean => typeof row[metric] !== 'number' || row['answers'] === 0
  return rows.length === 0 || rows.some(isBlank)
    ? undefined
    : `shows nothing, the API gives ${String(rows[0]?.[metric])}`
}

/** What a number stands on must be of the row that the number is of. */
function findBasisFault({ basis }: ShownNumber, rows: readonly Row[]): string | undefined {
  const numbers = rows.flatMap(listNumbers)
  const strange = readNumbers(basis).find((number) => !numbers.some((value) => isRounded(number, value)))
  return strange === undefined ? undefined : `stands on “${basis}”, of which no row has ${strange.text}`
}

/** Numbers that the page makes of several rows, made here once more. */
function isDerived(shown: ShownNumber, value: number, replies: readonly Reply[]): boolean {
  const { metric, head, beside, keys } = shown
  const sumOf = (rows: readonly Row[], field: string): number =>
    rows.reduce((total, row) => total + Number(row[field] ?? 0), 0)
  if (metric === 'answers' || metric === 'total_results') {
    const counted = metric === 'answers' ? replies.filter(({ question }) => question.path === '/answers') : replies
    return counted.some(({ rows }) => rows.length === value) || (value === 0 && counted.length === 0)
  }
  if (metric !== null && SUMS.has(metric)) {
    if (replies.some((reply) => isSum(reply, metric))) return true
    // Nothing of a group on a day is none.
    if (value === 0 && replies.some((reply) => listStrictly(shown, reply).length === 0)) return true
  }
  const verification = /^(verified|unverifiable|spoofed)_hits$/.exec(metric ?? '')?.[1]
  if (verification !== undefined) return isVerification(verification)
  return false

  function isSum(reply: Reply, field: string): boolean {
    const rows =
      head === 'All others'
        ? reply.rows.filter((row) => hasWord(row, keys[0] ?? '') && !beside.some((other) => hasWord(row, other)))
        : listStrictly(shown, reply)
    return rows.length > 0 && sumOf(rows, field) === value
  }
  function isVerification(kind: string): boolean {
    const hits = { shown: 0, verified: 0, others: 0 }
    for (const reply of replies) {
      const filter = JSON.stringify(reply.question.body?.['filter'] ?? null)
      const which = filter.includes('"verified"') ? (filter.includes('true') ? 'verified' : 'others') : 'shown'
      hits[which] = sumOf(
        reply.rows.filter((row) => keys.includes(String(row['bot_name']))),
        'hits',
      )
    }
    const unverifiable = hits.shown - hits.verified
    const counted = { verified: hits.verified, unverifiable, spoofed: hits.others - unverifiable }
    return counted[kind as keyof typeof counted] === value
  }
}

/**
 * The rows that a number can be of: those that have its keys, and the group at the head of its column where any row has it. A number that belongs to nothing is of the whole, of the own brand.
 */
function listFitting(shown: ShownNumber, reply: Reply): readonly Row[] {
  const labels = [...shown.keys, shown.head]
  if (shown.keys.length === 0 && shown.head === '') {
    if (isGrouped(reply)) return []
    return reply.rows.filter((row) => Object(row['brand']).owned !== false)
  }
  return labels.reduce((rows, label) => {
    const having = rows.filter((row) => hasWord(row, label))
    return having.length > 0 || shown.keys.includes(label) ? having : rows
  }, reply.rows)
}

/** The rows that have every key, and the head where any row has it. */
function listStrictly({ keys, head }: ShownNumber, { rows }: Reply): readonly Row[] {
  const ofHead = rows.filter((row) => hasWord(row, head))
  return (ofHead.length > 0 ? ofHead : rows).filter((row) => keys.every((key) => hasWord(row, key)))
}

const isGrouped = ({ question: { path, body } }: Reply): boolean =>
  body?.['group_by'] !== undefined || path === '/reports/citations'

const words = new WeakMap<Row, ReadonlySet<string>>()

function hasWord(row: Row, label: string): boolean {
  const known = words.get(row) ?? new Set(listWords(row).flatMap((word) => [word, ...listNames(word)]))
  words.set(row, known)
  return known.has(label) || listParts(label).every((part) => known.has(part))
}

const listParts = (label: string): readonly string[] => label.split(' ').filter((part) => part !== '')

function listWords(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listWords) : []
}

/** How the dashboard writes a word of the API. */
function listNames(word: string): readonly string[] {
  const hour = /^\d{4}-\d\d-\d\dT(\d\d):00$/.exec(word)?.[1]
  if (hour !== undefined) return [String(Number(hour))]
  return toWrittenNames(word)
}

function listNumbers(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'object' || value === null) return []
  const { answers_mentioning, judged_answers } = value as Row
  const notJudged = typeof judged_answers === 'number' ? [Number(answers_mentioning) - judged_answers] : []
  return [...Object.values(value).flatMap(listNumbers), ...notJudged]
}

interface Read {
  readonly text: string
  readonly value: number
  /** How many digits stand after the point. */
  readonly digits: number
}

/** The numbers that a text says, without the days in it. */
function readNumbers(text: string): readonly Read[] {
  return [...text.matchAll(/[-+−]?\d[\d,]*(?:\.\d+)?/g)].map(([found]) => ({
    text: found,
    value: Number(found.replaceAll(',', '').replace('−', '-')),
    digits: found.split('.')[1]?.length ?? 0,
  }))
}

/** Whether a number is a value rounded, as it is or as a percentage. */
function isRounded({ value, digits }: Read, exact: number): boolean {
  const room = 0.5 * 10 ** -digits + 1e-9
  return [exact, exact * 100].some((one) => Math.abs(Math.abs(one) - Math.abs(value)) <= room)
}

function saysNumber(text: string, value: number): boolean {
  const [first] = readNumbers(text)
  return first !== undefined && isRounded(first, value)
}
