import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAnswerWriter } from '../../src/lake/write/answer-writer.ts'
import { sql } from '../../src/lake/sql.ts'
import { readCells } from '../../src/lake/statement.ts'
import type { DerivedAnswer, DerivedCitation } from '../../src/lake/write/derived-answer.ts'
import { openStaging } from '../../src/lake/write/staging.ts'

/** Everything JSON, SQL and Parquet give a meaning to, and halves of pairs. */
const hostile = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('"', "'", '\\', '\0', '\n', '\u2028', '\\ud83d', '{', '[', '\u007f') },
  ),
  maxLength: 12,
})

const wellFormed = hostile.map((text) => text.toWellFormed())

const place = fc.constantFrom(
  { page: 'https://a.com/', host: 'a.com', domain: 'a.com' },
  { page: 'https://a.com/"1"', host: 'a.com', domain: 'a.com' },
  { page: 'https://www.a.com/\\', host: 'www.a.com', domain: 'a.com' },
  { page: 'https://b.org/\0?x', host: 'b.org', domain: 'b.org' },
)

const citation = fc
  .tuple(fc.record({ url: wellFormed, title: wellFormed, givenDomain: fc.option(wellFormed) }), place)
  .map(([cited, where]) => ({ ...cited, ...where }))

const answer = fc.record({
  text: fc.oneof(
    { weight: 4, arbitrary: hostile.filter((text) => text !== '') },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  day: fc.integer({ min: 20_000, max: 20_070 }),
  platformNo: fc.integer({ min: 1, max: 7 }),
  promptNo: fc.integer({ min: 1, max: 3 }),
  askedAtMs: fc.option(fc.integer({ min: 0, max: 2 ** 41 })),
  mentions: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
  citations: fc.oneof(fc.array(citation, { maxLength: 6 }), fc.array(citation, { minLength: 33, maxLength: 40 })),
})

test('reads back what was added, whatever the texts hold, each id once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 12 }), fc.nat(4), async (drawn, flushEvery) => {
      const answers = drawn.map((parts, index) => toAnswer(parts, `id ${index}`))
      const stored = await storeAnswers([...answers, ...answers], flushEvery + 1)
      expect(stored.counts).toEqual([
        {
          imported: answers.filter(({ text }) => text !== '').length,
          no_answer: answers.filter(({ text }) => text === '').length,
          duplicates: answers.length,
          differing: 0,
          replaced: 0,
        },
      ])
      expect(stored.rows).toEqual(
        answers
          .filter(({ text }) => text !== '')
          .map(toStored)
          .sort(byId),
      )
    }),
    { numRuns: 25 },
  )
})

test('a repeated record differs when it says anything else', async () => {
  const other = fc.tuple(answer, answer, fc.boolean(), fc.constantFrom(...FIELDS))
  await fc.assert(
    fc.asyncProperty(fc.array(other, { minLength: 1, maxLength: 12 }), fc.nat(4), async (drawn, flushEvery) => {
      const pairs = drawn.map(([first, second, isSame, field], index) => {
        const before = toAnswer(first, `id ${index}`)
        return [before, isSame ? before : toAnswer({ ...first, [field]: second[field] }, before.id)] as const
      })
      const { counts } = await storeAnswers(
        [...pairs.map(([before]) => before), ...pairs.map(([, after]) => after)],
        flushEvery + 1,
      )
      const differing = pairs.filter(([before, after]) => said(before) !== said(after)).length
      expect(counts).toMatchObject([{ duplicates: pairs.length, differing }])
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

const FIELDS = ['text', 'day', 'platformNo', 'promptNo', 'askedAtMs', 'citations'] as const

/** What a record says; of a no_answer's provider nothing is stored. */
function said({ text, day, platformNo, promptNo, askedAtMs, citations }: DerivedAnswer): string {
  const links = citations.map(({ url, title, givenDomain }) => [url, title, givenDomain])
  return JSON.stringify([text.toWellFormed(), day, platformNo, promptNo, askedAtMs, links])
}

function toAnswer(
  {
    text,
    mentions,
    citations,
    ...parts
  }: Pick<DerivedAnswer, 'text' | 'mentions' | 'citations'> & Partial<DerivedAnswer>,
  id: string,
): DerivedAnswer {
  const [kept, links]: [readonly number[], readonly DerivedCitation[]] = text === '' ? [[], []] : [mentions, citations]
  return {
    fileNo: 0,
    day: 0,
    askedAtMs: null,
    platformNo: 1,
    promptNo: 1,
    market: null,
    sentiment: null,
    provider: text,
    model: null,
    searchQueries: null,
    givenMentions: null,
    consulted: null,
    ...parts,
    id,
    text,
    mentions: kept,
    citations: links,
  }
}

interface Stored {
  readonly id: string
  readonly text: string
  readonly day: number
  readonly platform_no: number
  readonly mentions: readonly { brand_no: number; position: number }[]
  readonly citations: readonly object[]
}

function toStored({ id, text, day, platformNo, mentions, citations }: DerivedAnswer): Stored {
  return {
    id,
    text: text.toWellFormed(),
    day,
    platform_no: platformNo,
    mentions: mentions.map((brandNo, index) => ({ brand_no: brandNo, position: index + 1 })),
    citations: citations.map(({ url, title, givenDomain, page, host, domain }, index) => ({
      position: index + 1,
      url,
      title,
      given_domain: givenDomain,
      page,
      host,
      first_of_domain: citations.findIndex((other) => other.domain === domain) === index,
      first_of_page: citations.findIndex((other) => other.page === page) === index,
    })),
  }
}

function byId(a: Stored, b: Stored): number {
  return a.id < b.id ? -1 : 1
}

async function storeAnswers(
  answers: readonly DerivedAnswer[],
  flushEvery: number,
): Promise<{ counts: unknown; rows: Stored[] }> {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-writer-'))
  const staging = await openStaging(dir, 'site_1', 'change_1')
  const writer = await openAnswerWriter({
    staging,
    lakeDir: dir,
    liveFiles: [],
    counters: { answer_no: 1, host_no: 1, page_no: 1 },
    fileCount: 1,
  })
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    for (const [index, one] of answers.entries()) {
      writer.add(one)
      if (index % flushEvery === 0) await writer.flush()
    }
    const { counts } = await writer.finish()
    for (const name of ['answers', 'mentions', 'citations', 'hosts', 'pages'] as const) {
      const files = staging.files.filter((file) => file.dataset === name)
      const paths = files.map((file) => `'${join(dir, staging.where(file).path)}'`)
      const relation = paths.length === 0 ? `${EMPTY[name]} LIMIT 0` : `FROM read_parquet([${paths.join(', ')}])`
      await connection.run(`CREATE TABLE ${name} AS ${relation}`)
    }
    const rows = await readCells(
      connection,
      sql`
      SELECT to_json({
        'id': id,
        'text': text,
        'day': day - DATE '1970-01-01',
        'platform_no': platform_no,
        'mentions': coalesce((
          SELECT list({ 'brand_no': brand_no, 'position': position } ORDER BY position)
          FROM mentions WHERE mentions.answer_no = answers.answer_no), []),
        'citations': coalesce((
          SELECT list({
            'position': position, 'url': url, 'title': title, 'given_domain': given_domain, 'page': page, 'host': host,
            'first_of_domain': first_of_domain, 'first_of_page': first_of_page } ORDER BY position)
          FROM citations JOIN pages USING (page_no) JOIN hosts ON hosts.host_no = citations.host_no
          WHERE citations.answer_no = answers.answer_no), [])
      })::VARCHAR
      FROM answers`,
    )
    return { counts, rows: rows.map(([json]) => JSON.parse(String(json)) as Stored).sort(byId) }
  } finally {
    connection.closeSync()
    instance.closeSync()
    await writer.close()
    rmSync(dir, { recursive: true })
  }
}

const EMPTY = {
  answers: "SELECT 1 AS answer_no, '' AS id, '' AS text, DATE '2026-01-01' AS day, 1 AS platform_no",
  mentions: 'SELECT 1 AS answer_no, 1 AS brand_no, 1 AS position',
  citations: `SELECT 1 AS answer_no, 1 AS position, 1 AS host_no, 1 AS page_no, '' AS url, '' AS title, '' AS given_domain, true AS first_of_domain, true AS first_of_page`,
  hosts: "SELECT 1 AS host_no, '' AS host, '' AS domain",
  pages: "SELECT 1 AS page_no, 1 AS host_no, '' AS page",
} as const
