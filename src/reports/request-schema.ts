import * as v from 'valibot'
import { FAULTS_LISTED_MAX } from '../limits.ts'
import { dayCount, dayStartMs, toDay } from '../domain/day.ts'
import { TIMES } from './request.ts'
import { arrayOf } from '../schemas/bounded-array.ts'
import { strictObject } from '../schemas/strict-object.ts'

/** A day that exists, `YYYY-MM-DD`. */
const Day = v.pipe(v.string(), v.isoDate(), v.check(isRealDay, 'There is no such day. Use a day of the calendar.'))

/** What every report takes first; `withinRange` compares the days. */
export const range = {
  site_id: v.pipe(v.string(), v.description('A site of the organization.')),
  start_date: v.pipe(Day, v.description('First day, inclusive.')),
  end_date: v.pipe(Day, v.description('Last day, inclusive.')),
}

/** A second range, which the first is compared with. */
export const comparedRange = {
  compare_start_date: v.pipe(Day, v.description('First day of the range to compare with, inclusive.')),
  compare_end_date: v.pipe(Day, v.description('Last day of it, inclusive.')),
}

/** The range's days in order and not too far apart (contract/api 5.11 and 13). Runs whatever else is wrong. */
export function withinRange<T extends { start_date: string; end_date: string }>(
  daysMax: number,
  which: '' | 'compare_' = '',
) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const { value } = dataset
    const days = readRange(value, which)
    if (days === undefined) return
    const between = dayCount(days.start, days.end) - 1
    if (between >= 0 && between <= daysMax) return
    const name = `${which}start_date`
    addIssue({
      message: between < 0 ? `Use a day not before ${name}.` : `Use a day at most ${daysMax} days after ${name}.`,
      path: [inObject(Object(value), `${which}end_date`)],
    })
  })
}

/** No day is in both ranges; the fault is shown at the day that lies in the other range. Runs whatever else is wrong. */
export function sharesNoDay<T extends object>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const { value } = dataset
    const range = readRange(value, '')
    const compared = readRange(value, 'compare_')
    if (range === undefined || compared === undefined || range.start > range.end || compared.start > compared.end)
      return
    if (compared.end < range.start || compared.start > range.end) return
    const isStartInside = compared.start >= range.start
    addIssue({
      message: 'Compare ranges that share no day.',
      path: [inObject(Object(value), isStartInside ? 'compare_start_date' : 'compare_end_date')],
    })
  })
}

/** A range of the request; undefined unless both of its days are days. */
function readRange(request: unknown, which: '' | 'compare_'): { start: string; end: string } | undefined {
  if (typeof request !== 'object' || request === null) return undefined
  const start: unknown = Reflect.get(request, `${which}start_date`)
  const end: unknown = Reflect.get(request, `${which}end_date`)
  return v.is(Day, start) && v.is(Day, end) ? { start, end } : undefined
}

/** Each member at most once; the fault is shown at the second. */
function noneTwice<T>() {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    for (const { key, value, input } of listRepeated(dataset.value, (member) => member)) {
      addIssue({
        message: 'Given twice. Name it once.',
        path: [{ type: 'array', origin: 'value', input, key, value }],
      })
    }
  })
}

/** Members of what may be a list whose text, by `toText`, stands further up in it. Runs on values with other faults too. */
export function* listRepeated(
  list: unknown,
  toText: (member: unknown) => unknown,
): Generator<{ key: number; value: unknown; input: unknown[] }> {
  if (!Array.isArray(list)) return
  const input: unknown[] = list
  const seen = new Set<string>()
  let told = 0
  for (const [key, value] of input.entries()) {
    const text = toText(value)
    if (typeof text !== 'string') continue
    if (seen.has(text)) {
      yield { key, value, input }
      told += 1
    }
    if (told >= FAULTS_LISTED_MAX) return
    seen.add(text)
  }
}

/** Names from a closed list, none twice (contract/api 5.1). */
export function listOf<const T extends readonly string[]>(names: T, { min = 0, max = names.length } = {}) {
  const name = v.picklist(names)
  return v.pipe(arrayOf(name, { min, max }), noneTwice<v.InferOutput<typeof name>>(), v.metadata({ uniqueItems: true }))
}

/** `group_by`: none unless given; `week` and `month` stand without another time. */
export function groupBy<const T extends readonly string[]>(names: T, max: number = names.length) {
  const about = 'Fields to group by. Without any, rows cover the whole range.'
  const hasTimes = names.includes('week')
  const list = v.pipe(
    listOf(names, { max }),
    v.rawCheck(({ dataset, addIssue }) => {
      const times = listTimes(dataset.value)
      const second = times.find(({ name }) => name !== times[0]?.name)
      if (second === undefined || !times.some(({ name }) => name === 'week' || name === 'month')) return
      const { key, name, input } = second
      addIssue({
        message: 'Group by week or by month without another time.',
        path: [{ type: 'array', origin: 'value', input, key, value: name }],
      })
    }),
    v.description(hasTimes ? `${about} \`week\` and \`month\` stand without another time.` : about),
  )
  return v.optional(list, [])
}

/** The fields of time in a list, with their places. */
function listTimes(list: unknown): { readonly key: number; readonly name: unknown; readonly input: unknown[] }[] {
  const input: unknown[] = Array.isArray(list) ? list : []
  return input.flatMap((name, key) => (TIMES.some((time) => time === name) ? [{ key, name, input }] : []))
}

/** `metrics`: those of `usual`, all of the report's unless given, in the contract's order, where the request has none. */
export function metrics<const T extends readonly string[]>(names: T, usual: readonly T[number][] = names) {
  const those: T[number][] = [...usual]
  return v.optional(v.pipe(listOf(names, { min: 1 }), v.description('Metrics each row holds.')), those)
}

/** `metrics` that a row has only when they are asked for, beside what it always has. */
export function addedMetrics<const T extends readonly string[]>(names: T) {
  return v.optional(v.pipe(listOf(names, { min: 1 }), v.description('What each row holds besides.')))
}

/** `limit` and `cursor`. */
export function page(limits: { max: number; default: number }) {
  const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.max), v.description('Rows of a page.'))
  return {
    limit: v.optional(limit, limits.default),
    cursor: v.optional(v.pipe(v.string(), v.description('`info.next_cursor` of the page before.'))),
  }
}

/** `sort` by one of `fields`. */
export function sortBy<const T extends readonly string[]>(fields: T) {
  return v.optional(
    strictObject({
      field: v.pipe(v.picklist(fields), v.description('A field that the request asks for.')),
      dir: v.optional(v.picklist(['asc', 'desc']), 'desc'),
    }),
  )
}

/** `sort.field` must be among what the request asks for in the lists `names` (contract/api 5.5). */
export function sortsByRequested<T extends object>(names: readonly string[]) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const { value } = dataset
    const hasFault = dataset.issues?.some((issue) => issue.path?.[0].key === 'sort') === true
    if (typeof value !== 'object' || value === null || hasFault) return
    const sort: unknown = Reflect.get(value, 'sort')
    const field: unknown = typeof sort === 'object' && sort !== null ? Reflect.get(sort, 'field') : undefined
    const lists = names.map((name) => Reflect.get(value, name))
    if (typeof field !== 'string' || !lists.every((list) => Array.isArray(list))) return
    if (lists.flat().includes(field)) return
    addIssue({
      message: `Use a field that the request asks for in ${names.join(' or ')}.`,
      path: [inObject(value, 'sort'), inObject(Object(sort), 'field')],
    })
  })
}

/** An IANA name; whether there is such a zone is checked where the zones are known (report-endpoint.ts). */
export const TimeZone = v.optional(
  v.pipe(v.string(), v.minLength(1), v.description('IANA zone of day and hour borders, `Europe/Berlin`.')),
  'UTC',
)

/** Leaves what is no day by its form to `isoDate`. */
function isRealDay(day: string): boolean {
  if (!v.ISO_DATE_REGEX.test(day)) return true
  const ms = dayStartMs(day)
  return !Number.isNaN(ms) && toDay(ms) === day
}

/** The path of an issue at a field of the object that a schema judges. */
export function inObject(input: object, key: string): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: { ...input }, key, value: Reflect.get(input, key) }
}
