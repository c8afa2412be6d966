import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld } from '../support/oracle/world.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('cursors', { share: 0.04 })
const range = { start_date: '2026-08-26', end_date: '2026-10-04', limit: 2 }
const grouped = [
  { group_by: ['platform'] },
  { group_by: ['date', 'platform'] },
  { filter: { field: 'platform', op: 'is', value: 'claude' } },
]
interface Asked {
  readonly path: string
  readonly body: object
  /** What makes it another request. */
  readonly changes: readonly object[]
}
const REQUESTS: readonly Asked[] = [
  {
    path: '/v1/reports/visibility',
    body: { ...range, brands: 'all', group_by: ['date'] },
    changes: [
      ...grouped,
      { brands: 'owned' },
      { brands: ['Acme'] },
      { metrics: ['answers'] },
      { sort: { field: 'answers' } },
      { sort: { field: 'answers', dir: 'asc' } },
    ],
  },
  {
    path: '/v1/reports/citations',
    body: range,
    changes: [...grouped, { entity: 'page' }, { metrics: ['citations'] }],
  },
  {
    path: '/v1/reports/changes',
    body: {
      limit: 2,
      start_date: '2026-08-26',
      end_date: '2026-09-14',
      compare_start_date: '2026-09-15',
      compare_end_date: '2026-10-04',
      metric: 'mention_rate',
      group_by: ['prompt'],
    },
    changes: [
      { metric: 'citation_rate' },
      { group_by: ['platform', 'prompt'] },
      { brands: 'all' },
      { compare_end_date: '2026-10-05' },
      { compare_start_date: '2026-09-16' },
    ],
  },
  { path: '/v1/reports/sentiment', body: { ...range, group_by: ['date'] }, changes: grouped },
  {
    path: '/v1/answers',
    body: range,
    changes: [{ platforms: ['chatgpt'] }, { prompt_ids: ['p.10'] }, { include: ['text'] }, { include: [] }],
  },
]

let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

async function startWalk({ path, body }: Asked): Promise<string> {
  const { body: reply } = await served.ask(path, body)
  return reply.info.next_cursor!
}

/** Cursors that aren't refused as they must be, with status and code of the answer. */
async function findAccepted(
  { path, body }: Pick<Asked, 'path' | 'body'>,
  cursors: readonly string[],
): Promise<string[]> {
  const replies = await Promise.all(
    cursors.map(async (cursor) => ({ cursor, reply: await served.ask(path, { ...body, cursor }) })),
  )
  return replies
    .map(({ cursor, reply: { status, body } }) => ({ cursor, found: `${status} ${body.error?.code}` }))
    .filter(({ found }) => found !== '400 invalid_cursor')
    .map(({ cursor, found }) => `${cursor}: ${found}`)
}

describe('400 invalid_cursor', () => {
  it('answers a cursor in which any one bit is another', async () => {
    for (const [index, request] of REQUESTS.entries()) {
      const bytes = Buffer.from(await startWalk(request), 'base64url')
      const all = Array.from({ length: bytes.length * 8 }, (_, bit) => {
        const other = Buffer.from(bytes)
        other[bit >> 3]! ^= 1 << (bit & 7)
        return other.toString('base64url')
      })
      // Cursors of all reports are made alike: the bits of the first in full, of the others one in each byte.
      const flipped = index === 0 ? all : all.filter((_, bit) => bit % 8 === index)
      expect(await findAccepted(request, flipped)).toEqual([])
    }
  })

  it('answers a cursor with a character more, less or another, and what is none', async () => {
    for (const request of REQUESTS) {
      const cursor = await startWalk(request)
      const letters = cursor.split('')
      const others = [
        ...letters.map((letter, index) => letters.with(index, letter === 'A' ? 'B' : 'A').join('')),
        ...letters.map((_, index) => letters.toSpliced(index, 1).join('')),
        ...[' ', '=', 'A', '\n', '\u0000', 'é'].map((more) => cursor + more),
        ` ${cursor}`,
        cursor + cursor,
        cursor.toLowerCase(),
        'null',
        'x',
        'A'.repeat(1_024),
        'A'.repeat(100_000),
        Buffer.from('[1,"",0,0,0]').toString('base64url'),
        Buffer.alloc(64).toString('base64url'),
      ]
      expect(await findAccepted(request, others)).toEqual([])
    }
  })

  it('answers a cursor of another report, or of a request that differs in anything but limit and cursor', async () => {
    for (const request of REQUESTS) {
      const cursor = await startWalk(request)
      const { path, body, changes } = request
      const others = [{ start_date: '2026-08-27' }, { end_date: '2026-09-13' }, ...changes].map((change) => ({
        path,
        body: Object.assign({}, body, change),
      }))
      for (const other of [...REQUESTS.filter((each) => each !== request), ...others]) {
        expect(await findAccepted(other, [cursor]), JSON.stringify(other)).toEqual([])
      }
    }
  })

  it('comes before the site is looked for', async () => {
    const { path, body } = REQUESTS[0]!
    const cursor = await startWalk(REQUESTS[0]!)
    expect(await findAccepted({ path, body: { ...body, site_id: 'nowhere' } }, [cursor, 'x'])).toEqual([])
  })
})
