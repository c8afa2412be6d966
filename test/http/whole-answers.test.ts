import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveWorld, type ServedWorld } from '../reports/support/served-world.ts'
import { makeWorld } from '../support/oracle/world.ts'

const world = makeWorld('whole answers', { share: 0.01 })
const DAYS = { start_date: '2026-08-26', end_date: '2026-10-04' }
const TEXT_BYTES = 10_000
const ANSWERS = 2_600

const makeAnswers = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${name}-${index}`,
    date: `2026-09-${String(1 + (index % 28)).padStart(2, '0')}`,
    platform: 'chatgpt' as const,
    prompt_id: 'brand',
    text: `${name} ${index} `.padEnd(TEXT_BYTES, 'Acme, "quoted"\n'),
    citations: [`https://acme.com/${index}`],
  }))

let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
  await served.import([makeAnswers('first', ANSWERS)])
}, 120_000)
afterAll(() => served.close())

it('stored answers are of one snapshot, however long their client reads and whatever is imported meanwhile', async () => {
  const { app, url } = served.service
  const key = app.catalog.keys.create({ name: 'whole', expiresInDays: 30, creator: 'tests' }).value
  const body = { site_id: world.site.id, ...DAYS, platforms: ['chatgpt'], prompt_ids: ['brand'] }
  const headers = { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/x-ndjson' }
  const sent = request(`${url}/v1/answers`, { method: 'POST', headers, agent: false })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const total = Number(response.headers['x-total-results'])
  expect(total).toBeGreaterThanOrEqual(ANSWERS)

  const chunks: Buffer[] = []
  let imported = false
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    if (imported) continue
    imported = true
    await served.import([makeAnswers('second', 400)])
  }
  const rows = Buffer.concat(chunks)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { id: string; date: string; text: string; citations: { url: string }[] })
  expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([total, total])
  expect(rows.filter(({ id }) => id.startsWith('second'))).toEqual([])
  expect(rows.map(({ date }) => date)).toEqual(
    rows
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  )
  const known = new Map(makeAnswers('first', ANSWERS).map((answer) => [answer.id, answer]))
  const ours = rows.filter(({ id }) => known.has(id))
  expect(ours.length).toBe(ANSWERS)
  for (const { id, text, citations } of ours) {
    expect([text, citations.map(({ url }) => url)]).toEqual([known.get(id)?.text, known.get(id)?.citations])
  }
}, 120_000)
