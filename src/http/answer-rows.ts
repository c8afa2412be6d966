import type { HTTPResponse } from 'h3'
import {
  QUERY_WAIT_MS_MAX,
  WHOLE_RESULT_MS_MAX,
  WHOLE_RESULTS_RUNNING_MAX,
  WHOLE_RESULTS_WAITING_MAX,
} from '../limits.ts'
import { createQuerySlots } from '../lake/read/query-slots.ts'
import { Abandoned } from '../lake/read/work.ts'
import { listColumns, type RowColumn } from '../rows/columns.ts'
import { type RowFormat, toHead, toLines } from '../rows/row-format.ts'
import { MEDIA_TYPES } from './accept.ts'
import type { CheckedInput } from './checks.ts'
import type { Context } from './context.ts'
import type { AnyOperation, WholeRows } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { respondStream, respondTyped, toApiError, toErrorText } from './respond.ts'

/** A list or report as it is to be answered. */
export interface AskedRows {
  readonly exchange: Exchange
  readonly endpoint: AnyOperation
  readonly rows: NonNullable<AnyOperation['rows']>
  readonly format: RowFormat
  readonly context: Context
  readonly input: CheckedInput
}

/** Answers lists and reports as CSV and NDJSON (contract/api 14): a page, or the whole result where none was asked for. */
export function createRowsAnswer(): (asked: AskedRows) => Promise<HTTPResponse> {
  // A whole result keeps its rows in DuckDB as long as its client takes to read them.
  const slots = createQuerySlots({
    runningMax: WHOLE_RESULTS_RUNNING_MAX,
    waitingMax: WHOLE_RESULTS_WAITING_MAX,
    waitMsMax: QUERY_WAIT_MS_MAX,
  })

  async function answerWhole(asked: AskedRows, read: () => Promise<WholeRows>): Promise<HTTPResponse> {
    const { exchange } = asked
    const { work, response } = exchange
    if (work !== undefined) await slots.take(work)
    let whole: WholeRows | undefined
    const release = async (): Promise<void> => {
      await whole?.[Symbol.asyncDispose]()
      if (work !== undefined) slots.release(work)
    }
    try {
      whole = await read()
    } catch (error) {
      await release()
      throw error
    }
    work?.renew(WHOLE_RESULT_MS_MAX)
    if (response.destroyed) await release()
    else response.once('close', () => void release())
    const total = whole.info.total_results
    return respondStream(exchange, { text: toText(asked, whole), ...toContent(asked, { total_results: total }) })
  }

  return async (asked) => {
    const { endpoint, rows, format, context, input } = asked
    if (input.isWhole && rows.readWhole !== undefined) {
      return answerWhole(asked, async () => rows.readWhole?.(context, input) as Promise<WholeRows>)
    }
    const { info, data } = (await endpoint.handle(context, input)) as Page
    const columns = toColumns(asked)
    const text = toHead(format, columns) + toLines(format, columns, data)
    return respondTyped(asked.exchange, { text, ...toContent(asked, info ?? { total_results: data.length }) })
  }
}

/** What handlers of lists and reports give. */
interface Page {
  readonly info?: PageInfo
  readonly data: readonly unknown[]
}

interface PageInfo {
  readonly total_results: number
  readonly next_cursor?: string | null
}

function toColumns({ rows, input }: AskedRows): RowColumn[] {
  return listColumns(rows.row, rows.listFields?.(input))
}

/** The type and the headers that CSV and NDJSON have beside those of every answer. */
function toContent({ rows, format, context, input }: AskedRows, { total_results, next_cursor = null }: PageInfo) {
  return {
    type: `${MEDIA_TYPES[format]}; charset=utf-8`,
    headers: {
      vary: 'accept, accept-encoding',
      'content-disposition': `attachment; filename="${rows.fileName(context, input)}.${format}"`,
      'x-total-results': String(total_results),
      ...(next_cursor === null ? {} : { 'x-next-cursor': next_cursor }),
    },
  }
}

/** Lines as they are sent. An error behind the first of them is NDJSON's last line, and thrown for CSV, which has no place for it. */
async function* toText(asked: AskedRows, { batches }: WholeRows): AsyncGenerator<string, void> {
  const { exchange, format } = asked
  const columns = toColumns(asked)
  let head = toHead(format, columns)
  try {
    for await (const rows of batches) {
      yield head + toLines(format, columns, rows)
      head = ''
    }
    if (head !== '') yield head
  } catch (thrown) {
    if (thrown instanceof Abandoned) throw thrown
    const error = toApiError(thrown)
    exchange.brokenOff = error
    if (format === 'csv') throw error
    yield `${toErrorText(exchange.id, error)}\n`
  }
}
