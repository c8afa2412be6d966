import * as fc from 'fast-check'
import { arbitraryRequest } from './arbitrary-requests.ts'
import { isDocumentedBody } from './documented.ts'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'
import { openTestService } from './http.ts'
import { createWorld } from './world.ts'

/**
 * Sends `cases` random requests to the endpoints whose path matches. Fails on a status that the document doesn't list, a body that isn't as documented, any
 * answer of 500 and above, and a request that is taken though the document forbids its body. Gives the answers by status.
 */
export async function fuzzHttp(cases: number, seed: number, only: RegExp = /./): Promise<Record<number, number>> {
  const service = await openTestService()
  const statuses: Record<number, number> = {}
  try {
    const world = createWorld(service)
    const endpoints = ENDPOINTS.filter(({ path }) => only.test(path))
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(world, endpoints), async (request) => {
        const { status, text } = await service.send(request)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status >= 500) throw new Error(`${status}: ${text}\n${service.log.at(-1)}`)
        const endpoint = ENDPOINTS.find(
          ({ method, path }) => method === request.method && !path.includes('{') && path === request.path,
        )
        if (
          status === 200 &&
          endpoint?.body &&
          !isDocumentedBody(endpoint.method, endpoint.path, JSON.parse(String(request.body)))
        ) {
          throw new Error('taken, though the document forbids it')
        }
      }),
      { numRuns: cases, seed },
    )
  } finally {
    await service.close()
  }
  return statuses
}
