import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'
import { openTestService, type TestService } from '../support/http.ts'
import { KEYS_IN_URLS } from '../support/keys-in-urls.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
})
afterAll(() => service.close())

it.each(KEYS_IN_URLS)('refuses ?%s everywhere under /v1, before anything else', async (query) => {
  const paths = ['/v1', '/v1/', '/v1/nothing', '/v1/sites/x/actions', ...ENDPOINTS.map(({ path }) => path)]
  for (const path of paths) {
    for (const key of [undefined, world.readKey]) {
      const answer = await service.send({ path: `${path.replace('{site_id}', 'x')}?${query}`, key })
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 'api_key_in_url'])
    }
  }
})

it('refuses a key as a part of the path', async () => {
  for (const path of [`/v1/${world.readKey}`, `/v1/sites/${world.readKey}`, `/v1/sites/x%2F${world.readKey}/prompts`]) {
    const answer = await service.send({ path })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'api_key_in_url'])
  }
})

it('repeats nothing of the URL and keeps keys out of the log', async () => {
  const secret = world.readKey
  for (const path of [
    `/v1/me?api_key=${secret}`,
    `/v1/${secret}`,
    `/v1/sites/${secret}?q=${secret}`,
    `/${secret}`,
    `/?x=${secret}`,
  ]) {
    const answer = await service.send({
      method: 'POST',
      path,
      key: secret,
      headers: { authorization: `Bearer ${secret}`, 'user-agent': secret },
    })
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain('alk_')
  }
  const malformed = await service.sendRaw(`GET /v1/me?api_key=${secret} HTTP/9.9\r\nX-API-Key: ${secret}\r\n\r\n`)
  expect(malformed).not.toContain('alk_')
  expect(service.log.join('')).not.toContain(secret.slice(4, 12))
})

it('leaves paths outside /v1 unknown', async () => {
  const answer = await service.send({ path: `/other?api_key=${world.readKey}` })
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
})
