import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openDemoService } from './support/demo-service.ts'

it('the README shows what the demo answers', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, path = '', body = '', rows = ''] =
    /127\.0\.0\.1:8080(\/v1\/\S+) \\\n +-d '(\{.*\})'\n```\n\n```json\n(.*?)\n```/s.exec(readme) ?? []
  const service = await openDemoService()
  try {
    const request = { method: 'POST', path, key: service.key, body: body.replace('site_…', service.siteId) }
    const answer = await service.send({ ...request, headers: { 'content-type': 'application/json' } })
    expect(answer.body.data).toEqual(rows.split('\n').map((row) => JSON.parse(row) as unknown))
  } finally {
    await service.close()
  }
})
