import { makeWorld } from '../../support/oracle/world.ts'
import { serveWorld } from '../../reports/support/served-world.ts'

/** More threads than one: DuckDB's threads race over little only where there are several. */
const THREADS = 4
const CLIENTS = 8

export interface SmallReportsResult {
  readonly requests: number
  /** Answers that weren't as they should, a line each. */
  readonly wrong: readonly string[]
}

/**
 * Asks a server for reports over hardly any rows, each for another one, since such queries race in DuckDB: a filter that
 * matches nothing, or answers of a single prompt.
 */
export async function runSmallReports({ requests }: { requests: number }): Promise<SmallReportsResult> {
  const world = makeWorld('small', { share: 0.02 })
  const served = await serveWorld(world, { queryThreads: THREADS })
  const wrong: string[] = []
  let next = 0
  const askOn = async (): Promise<void> => {
    while (next < requests) {
      const number = next++
      const { path, body, rows } = toRequest(number)
      const { status, body: reply } = await served.ask(path, { ...RANGE, ...body })
      if (status !== 200) wrong.push(`request ${number} to ${path}: ${status} ${JSON.stringify(reply)}`)
      else if (rows !== undefined && reply.data.length !== rows) wrong.push(`${path}: ${reply.data.length} rows`)
    }
  }
  try {
    await Promise.all(Array.from({ length: CLIENTS }, askOn))
  } finally {
    await served.close()
  }
  return { requests, wrong }
}

const RANGE = { start_date: '2026-08-01', end_date: '2026-10-10' }

interface SmallRequest {
  readonly path: string
  readonly body: object
  /** Rows of the answer, where they are always the same. */
  readonly rows?: number
}

/** `number` stands in each, so that none is answered from the cache. */
function toRequest(number: number): SmallRequest {
  const filter = { field: 'prompt', op: 'is', value: `nothing ${number}` }
  const kinds: readonly SmallRequest[] = [
    { path: '/v1/reports/visibility', body: { filter, brands: 'owned' }, rows: 1 },
    { path: '/v1/reports/visibility', body: { filter, brands: 'all' } },
    { path: '/v1/reports/visibility', body: { filter, group_by: ['date', 'platform'] }, rows: 0 },
    { path: '/v1/reports/sentiment', body: { filter }, rows: 1 },
    { path: '/v1/reports/citations', body: { filter, entity: 'domain' }, rows: 0 },
    {
      path: '/v1/reports/citations',
      body: {
        filter: { or: [filter, { field: 'domain', op: 'contains', value: 'globex' }] },
        entity: 'page',
        limit: 5,
      },
    },
    { path: '/v1/answers', body: { prompt_ids: [`nothing ${number}`, 'p.10'], limit: 2, include: [] } },
  ]
  // Mostly the one that failed first.
  return kinds[number % 2 === 0 ? 1 : ((number - 1) / 2) % kinds.length] as SmallRequest
}
