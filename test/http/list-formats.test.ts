import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
})
afterAll(() => service.close())

const get = (path: string, accept?: string, method = 'GET') =>
  service.send({ method, path: toPath(path), key: world.readKey, headers: accept === undefined ? {} : { accept } })
const toPath = (path: string): string => path.replace('{site_id}', world.site.id)

const LISTS: Readonly<Record<string, { file: string; columns: string }>> = {
  '/v1/sites': {
    file: 'sites',
    columns: 'id,name,domain,created_at,platforms,last_answer_scan.date,last_answer_scan.status',
  },
  '/v1/platforms': { file: 'platforms', columns: 'id,name,available' },
  '/v1/sites/{site_id}/competitors': { file: 'acme.com-competitors', columns: 'id,name,domains,confirmed,source' },
  '/v1/sites/{site_id}/prompts': {
    file: 'acme.com-prompts',
    columns: 'id,text,category,market,status,created_at,updated_at',
  },
  '/v1/sites/{site_id}/prompts?status=disabled': {
    file: 'acme.com-prompts',
    columns: 'id,text,category,market,status,created_at,updated_at',
  },
  '/v1/sites/{site_id}/actions?status=all': {
    file: 'acme.com-actions',
    columns:
      'id,title,why,detail,category,impact,effort,target_metric,kind,cadence,period,status,target_prompts,target_platforms,target_url,created_at,outcome.',
  },
}

describe.each(Object.entries(LISTS))('%s', (path, { file, columns }) => {
  it('has the same rows in three formats', async () => {
    const { data } = (await get(path)).body as { data: Record<string, unknown>[] }
    const ndjson = await get(path, 'application/x-ndjson')
    expect(ndjson.text).toBe(data.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const csv = await get(path, 'text/csv')
    const [names, ...lines] = parse(csv.text) as [string[], ...string[][]]
    expect(names.join()).toMatch(columns.endsWith('.') ? new RegExp(`^${columns}`) : new RegExp(`^${columns}$`))
    expect(lines.map((line) => line[names.indexOf('id')])).toEqual(data.map(({ id }) => id))
    for (const [index, line] of lines.entries()) {
      for (const [column, name] of names.entries()) {
        const value = name.split('.').reduce<unknown>((at, key) => Object(at)[key] ?? null, data[index])
        const text = Array.isArray(value)
          ? value.join(' | ')
          : typeof value === 'string'
            ? value
            : JSON.stringify(value)
        expect(line[column], name).toBe(value === null ? '' : text)
      }
    }
    for (const [format, { headers }] of Object.entries({ csv, ndjson })) {
      expect(headers['content-disposition']).toBe(`attachment; filename="${file}.${format}"`)
      expect(headers['x-total-results']).toBe(String(data.length))
    }
  })

  it('is told by HEAD like by GET', async () => {
    const [head, whole] = await Promise.all([get(path, 'text/csv', 'HEAD'), get(path, 'text/csv')])
    for (const name of ['content-type', 'content-disposition', 'x-total-results']) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await get(path, 'text/html', 'HEAD')).status).toBe(406)
  })
})

describe('a page of prompts', () => {
  it('names the next one in a header, and goes on in another format', async () => {
    const { data } = (await get('/v1/sites/{site_id}/prompts')).body
    const first = await get('/v1/sites/{site_id}/prompts?limit=2', 'application/x-ndjson')
    expect(first.headers['x-total-results']).toBe('3')
    const second = await get(`/v1/sites/{site_id}/prompts?cursor=${String(first.headers['x-next-cursor'])}`, 'text/csv')
    expect(second.headers).not.toHaveProperty('x-next-cursor')
    expect(parse(second.text).length).toBe(2)
    expect(first.text).toBe(`${JSON.stringify(data[0])}\n${JSON.stringify(data[1])}\n`)
    expect(second.text).toContain(data[2].id)
  })
})

describe('Accept', () => {
  it('is nothing to endpoints that give no list', async () => {
    for (const path of ['/v1/me', '/v1/openapi.json', '/v1/sites/{site_id}']) {
      const { status, headers } = await get(path, 'text/csv')
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/json; charset=utf-8'])
    }
    const { status } = await service.send({
      method: 'PATCH',
      path: toPath('/v1/sites/{site_id}/prompts'),
      key: world.writeKey,
      headers: { accept: 'image/png' },
      body: { prompts: [{ id: world.promptIds[0], market: null }], dry_run: true },
    })
    expect(status).toBe(200)
  })

  it('leaves errors JSON', async () => {
    const answers = await Promise.all([
      get('/v1/sites?x=1', 'text/csv'),
      get('/v1/sites/none/prompts', 'application/x-ndjson'),
      get('/v1/sites', 'text/html'),
    ])
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [400, 'invalid_request'],
      [404, 'not_found'],
      [406, 'not_acceptable'],
    ])
  })

  it('changes nothing of a JSON answer', async () => {
    const OF_ONE_ANSWER = new Set(['x-request-id', 'date', 'ratelimit'])
    const steady = ({ headers, text }: Awaited<ReturnType<typeof get>>) => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.has(name))),
      text,
    })
    const plain = steady(await get('/v1/sites/{site_id}/prompts?limit=1'))
    for (const accept of ['*/*', 'application/json', 'application/json; charset=utf-8', 'text/html, */*;q=0.1']) {
      expect(steady(await get('/v1/sites/{site_id}/prompts?limit=1', accept))).toEqual(plain)
    }
    expect(Object.keys(plain.headers)).not.toEqual(expect.arrayContaining(['x-total-results']))
  })
})
