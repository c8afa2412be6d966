import type { DuckDBConnection } from '@duckdb/node-api'
import { SENTIMENTS } from '../domain/enums.ts'
import type { DerivedAnswer } from './derived-answer.ts'
import type { PageNumbers } from './page-numbers.ts'
import { openTableAppender } from './table-appender.ts'

/** Tables of DuckDB that hold one chunk of an import. `seq` is an answer's place in the input. */
export interface AnswerChunk {
  readonly answers: string
  readonly mentions: string
  /** Each with the numbers of its page, or with `page_seq`, its place in `pages`. */
  readonly citations: string
  /** The chunk's distinct pages whose numbers weren't remembered. */
  readonly pages: string
}

/**
 * Fills the tables of a chunk. Rows are laid down in the order of the files (`sortedBy` in datasets.ts), which joins
 * then keep: sorting here moves references, sorting in DuckDB would move texts.
 */
export async function appendChunk(
  connection: DuckDBConnection,
  name: string,
  answers: readonly DerivedAnswer[],
  pageNumbers: PageNumbers,
): Promise<AnswerChunk> {
  const chunk = {
    answers: `${name}_answers`,
    mentions: `${name}_mentions`,
    citations: `${name}_citations`,
    pages: `${name}_pages`,
  }
  const placed = answers.map((answer, seq) => ({ answer, seq })).sort(byDayAndSlice)
  await appendAnswers(connection, chunk.answers, placed)
  await appendDerived(connection, chunk, placed, pageNumbers)
  return chunk
}

/** Fills the tables of what is derived from answers, in their order. */
export async function appendDerived(
  connection: DuckDBConnection,
  chunk: Omit<AnswerChunk, 'answers'>,
  placed: readonly Placed<Pick<DerivedAnswer, 'mentions' | 'citations'>>[],
  pageNumbers: PageNumbers,
): Promise<void> {
  await appendMentions(connection, chunk.mentions, placed)
  await appendCitations(connection, chunk, placed, pageNumbers)
}

interface Placed<A> {
  readonly answer: A
  readonly seq: number
}

function byDayAndSlice(a: Placed<DerivedAnswer>, b: Placed<DerivedAnswer>): number {
  return (
    a.answer.day - b.answer.day ||
    a.answer.platformNo - b.answer.platformNo ||
    a.answer.promptNo - b.answer.promptNo ||
    a.seq - b.seq
  )
}

async function appendAnswers(
  connection: DuckDBConnection,
  name: string,
  placed: readonly Placed<DerivedAnswer>[],
): Promise<void> {
  const table = await openTableAppender(connection, name, {
    seq: 'integer',
    file_no: 'integer',
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
  })
  const { cells } = table
  for (const { answer, seq } of placed) {
    cells.seq.push(seq)
    cells.file_no.push(answer.fileNo)
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
    table.endRow()
  }
  table.close()
}

async function appendMentions(
  connection: DuckDBConnection,
  name: string,
  placed: readonly Placed<Pick<DerivedAnswer, 'mentions'>>[],
): Promise<void> {
  const table = await openTableAppender(connection, name, { seq: 'integer', brand_no: 'integer', position: 'integer' })
  const { cells } = table
  for (const { answer, seq } of placed) {
    for (let i = 0; i < answer.mentions.length; i++) {
      cells.seq.push(seq)
      cells.brand_no.push(answer.mentions[i] ?? null)
      cells.position.push(i + 1)
      table.endRow()
    }
  }
  table.close()
}

async function appendCitations(
  connection: DuckDBConnection,
  chunk: Pick<AnswerChunk, 'citations' | 'pages'>,
  placed: readonly Placed<Pick<DerivedAnswer, 'citations'>>[],
  pageNumbers: PageNumbers,
): Promise<void> {
  const table = await openTableAppender(connection, chunk.citations, {
    seq: 'integer',
    position: 'integer',
    page_seq: 'integer',
    page_no: 'integer',
    host_no: 'integer',
    first_of_domain: 'boolean',
    first_of_page: 'boolean',
    url: 'text',
    title: 'text',
    given_domain: 'text',
  })
  const pages = await openTableAppender(connection, chunk.pages, {
    page_seq: 'integer',
    page: 'text',
    host: 'text',
    domain: 'text',
  })
  const pageSeqs = new Map<string, number>()
  const { cells } = table
  for (const { answer, seq } of placed) {
    const citedDomains = new Set<string>()
    const citedPages = new Set<string>()
    answer.citations.forEach(({ url, title, givenDomain, page, host, domain }, index) => {
      const known = pageNumbers.get(page)
      let pageSeq = known ? null : pageSeqs.get(page)
      if (pageSeq === undefined) {
        pageSeq = pageSeqs.size
        pageSeqs.set(page, pageSeq)
        pages.cells.page_seq.push(pageSeq)
        pages.cells.page.push(page)
        pages.cells.host.push(host)
        pages.cells.domain.push(domain)
        pages.endRow()
      }
      cells.seq.push(seq)
      cells.position.push(index + 1)
      cells.page_seq.push(pageSeq)
      cells.page_no.push(known?.pageNo ?? null)
      cells.host_no.push(known?.hostNo ?? null)
      cells.first_of_domain.push(!citedDomains.has(domain))
      cells.first_of_page.push(!citedPages.has(page))
      citedDomains.add(domain)
      citedPages.add(page)
      cells.url.push(url)
      cells.title.push(title)
      cells.given_domain.push(givenDomain)
      table.endRow()
    })
  }
  table.close()
  pages.close()
}
