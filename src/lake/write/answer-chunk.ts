import type { DuckDBConnection } from '@duckdb/node-api'
import { SENTIMENTS } from '../../domain/enums.ts'
import type { DerivedAnswer, DerivedCitation } from './derived-answer.ts'
import { openTableAppender } from './table-appender.ts'

/**
 * An answer as it waits for its chunk to be full. What was derived from it is JSON text: thousands of small objects would
 * be moved about by every garbage collection, and DuckDB takes a text in one piece and parses it on its own threads.
 */
export type AnswerRow = Omit<DerivedAnswer, 'mentions' | 'citations'> & DerivedJson

/** JSON arrays, null for an empty one: brand numbers, and objects of the columns that `selectCited` names. */
export interface DerivedJson {
  readonly mentions: string | null
  readonly citations: string | null
}

export function toAnswerRow({ mentions, citations, ...answer }: DerivedAnswer): AnswerRow {
  return Object.assign(answer, toDerivedJson({ mentions, citations }))
}

export function toDerivedJson({ mentions, citations }: Pick<DerivedAnswer, 'mentions' | 'citations'>): DerivedJson {
  return {
    mentions: mentions.length === 0 ? null : JSON.stringify(mentions),
    citations: citations.length === 0 ? null : JSON.stringify(withFirsts(citations)),
  }
}

function withFirsts(citations: readonly DerivedCitation[]): object[] {
  const firstOfDomain = markFirsts(citations.map(({ domain }) => domain))
  const firstOfPage = markFirsts(citations.map(({ page }) => page))
  return citations.map(({ url, title, givenDomain, page, host, domain }, index) => ({
    position: index + 1,
    url,
    title,
    given_domain: givenDomain,
    page,
    host,
    domain,
    first_of_domain: firstOfDomain[index],
    first_of_page: page !== null && firstOfPage[index],
  }))
}

function markFirsts(values: readonly (string | null)[]): boolean[] {
  // Most answers have a handful of links: looking back through them is faster than hashing each.
  if (values.length <= 32) return values.map((value, index) => values.indexOf(value) === index)
  const seen = new Set<string | null>()
  return values.map((value) => seen.size < seen.add(value).size)
}

/**
 * Fills the table `name` with a chunk of an import; `seq` is an answer's place in the input. Rows are laid down in the
 * order of the files (`sortedBy` in datasets.ts), which joins then keep: sorting here moves references, sorting in DuckDB
 * would move texts.
 */
export async function appendChunk(
  connection: DuckDBConnection,
  name: string,
  answers: readonly AnswerRow[],
): Promise<void> {
  const placed = answers.map((answer, seq) => ({ answer, seq })).sort(byDayAndSlice)
  const table = await openTableAppender(connection, name, {
    seq: 'integer',
    id: 'text',
    day: 'integer',
    asked_at_ms: 'bigint',
    platform_no: 'integer',
    prompt_no: 'integer',
    market: 'text',
    text: 'text',
    sentiment_no: 'integer',
    provider: 'text',
    model: 'text',
    search_queries: 'text',
    given_mentions: 'text',
    consulted: 'text',
    mentions: 'text',
    citations: 'text',
  })
  const { cells } = table
  for (const { answer, seq } of placed) {
    cells.seq.push(seq)
    cells.id.push(answer.id)
    cells.day.push(answer.day)
    cells.asked_at_ms.push(answer.askedAtMs === null ? null : BigInt(answer.askedAtMs))
    cells.platform_no.push(answer.platformNo)
    cells.prompt_no.push(answer.promptNo)
    cells.market.push(answer.market)
    cells.text.push(answer.text)
    cells.sentiment_no.push(answer.sentiment === null ? 0 : SENTIMENTS.indexOf(answer.sentiment) + 1)
    cells.provider.push(answer.provider)
    cells.model.push(answer.model)
    cells.search_queries.push(answer.searchQueries)
    cells.given_mentions.push(answer.givenMentions)
    cells.consulted.push(answer.consulted)
    cells.mentions.push(answer.mentions)
    cells.citations.push(answer.citations)
    table.endRow()
  }
  table.close()
}

interface Placed {
  readonly answer: AnswerRow
  readonly seq: number
}

function byDayAndSlice(a: Placed, b: Placed): number {
  return (
    a.answer.day - b.answer.day ||
    a.answer.platformNo - b.answer.platformNo ||
    a.answer.promptNo - b.answer.promptNo ||
    a.seq - b.seq
  )
}

/** Fills the table `name` with what was derived from stored answers. */
export async function appendDerived(
  connection: DuckDBConnection,
  name: string,
  placed: readonly { readonly seq: number; readonly derived: DerivedJson }[],
): Promise<void> {
  const table = await openTableAppender(connection, name, { seq: 'integer', mentions: 'text', citations: 'text' })
  const { cells } = table
  for (const { seq, derived } of placed) {
    cells.seq.push(seq)
    cells.mentions.push(derived.mentions)
    cells.citations.push(derived.citations)
    table.endRow()
  }
  table.close()
}
