import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ANSWERS_PAGE_BYTES_MAX } from '../../src/limits.ts'
import { expectAnswers } from '../support/oracle/answers.ts'
import { readTruth } from '../support/oracle/truth.ts'
import { makeWorld, type WorldRecord } from '../support/oracle/world.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const MIB = 1_024 * 1_024
/** Of texts in MiB, newest first, more in all than reports may take here: pages end by their rows, by their bytes, and at answers longer than a page. */
const TEXT_MIB = [0, 0, 3, 4.9, 0.2, 9, 8, 0, 0, 0, 7.99, 0.01, 0, 12, 12, 0.5, 2, 2, 2, 2, 2, 0, 0, 5, 0, 4, 0, 0, 0]
const made = makeWorld('pages')
const world = { ...made, imports: [[TEXT_MIB.map(makeRecord)]] }
const truth = readTruth(world)
const range = { site_id: world.site.id, start_date: '2026-08-01', end_date: '2026-10-31' }

/** Two bytes a letter; every third answer has links that weigh as well. */
function makeRecord(mib: number, index: number): WorldRecord {
  return {
    id: `a${index}`,
    date: new Date(Date.parse('2026-10-20T00:00:00Z') - Math.floor(index / 3) * 86_400_000).toISOString().slice(0, 10),
    asked_at: new Date(Date.parse('2026-10-20T00:00:00Z') - index * 60_000).toISOString(),
    platform: 'chatgpt',
    prompt_id: 'alt',
    text: `Nothing is named. ${'é'.repeat((mib * MIB) / 2)}`,
    mentions: index % 2 === 0 ? [made.site.name] : [],
    citations: index % 3 > 0 ? [] : [makeLink(index, 1), makeLink(index, 2)],
  }
}

function makeLink(index: number, position: number): { url: string; title: string } {
  return { url: `https://source.example/${index}/${position}?${'q'.repeat(index * 50_000)}`, title: 'ü'.repeat(index) }
}

let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world, { queryMemoryMib: 128 })
}, 60_000)
afterAll(() => served.close())

const included = fc.constantFrom(
  ['text'] as const,
  ['date', 'citations'] as const,
  ['text', 'mentions', 'citations'] as const,
  ['prompt', 'brand_position'] as const,
)

it('a walk gives each answer once, in order, whatever the sizes, in pages and memory of bounded bytes', async () => {
  const limits = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(included, limits, async (include, limitOfPage) => {
      const expected = expectAnswers(truth, { ...range, limit: 50, include })
      let cursor: string | null = null
      let read = 0
      for (let page = 0; read < expected.length; page++) {
        const limit = limitOfPage[page % limitOfPage.length]!
        const body: object = { ...range, include, limit, ...(cursor !== null && { cursor }) }
        const reply = await served.ask('/v1/answers', body)
        expect(reply.status).toBe(200)
        const { info, data } = reply.body
        const rows = expected.slice(read, read + countFitting(expected.slice(read, read + limit)))
        // Not toEqual: its report of a difference would print megabytes.
        expect(data.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
        expect(sortedJson(data) === sortedJson(rows), `rows from ${read} on`).toBe(true)
        read += rows.length
        expect(info).toMatchObject({ count: rows.length, total_results: expected.length })
        expect(info.next_cursor === null, `next_cursor after ${read}`).toBe(read === expected.length)
        cursor = info.next_cursor
      }
    }),
    { numRuns: 8, seed: 7 },
  )
}, 300_000)

/** Rows up to the bound, the first one whatever its size. */
function countFitting(rows: readonly Record<string, unknown>[]): number {
  let bytes = 0
  const excess = rows.findIndex((row, index) => {
    const links = (row['citations'] ?? []) as { url: string; title: string }[]
    const texts = [(row['text'] ?? '') as string, ...links.flatMap(({ url, title }) => [url, title])]
    bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    return index > 0 && bytes > ANSWERS_PAGE_BYTES_MAX
  })
  return excess < 0 ? rows.length : excess
}

function sortedJson(rows: readonly Record<string, unknown>[]): string {
  return JSON.stringify(rows.map((row) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
}
