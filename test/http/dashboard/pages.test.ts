import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildAssets } from '../../../src/http/dashboard/build-assets.ts'
import { loadAssets } from '../../../src/http/dashboard/assets.ts'
import { COMPRESSED_BYTES_MIN } from '../../../src/limits.ts'
import { openTestService, type TestService } from '../../support/http.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

/** What Chromium sends when somebody follows a link. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const visit = (path: string, accept = ACCEPT, method = 'GET'): Promise<Response> =>
  fetch(service.url + path, { method, headers: { accept } })

const PAGES = [
  '/',
  '/sign-in',
  '/sites/acme.com/visibility',
  '/sites/acme.com/answers/x?from=2026-11-01',
  '/settings/keys',
]

describe('pages', () => {
  test('are one and the same document, for whoever asks for HTML', async () => {
    const texts = await Promise.all(PAGES.map(async (path) => (await visit(path)).text()))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^<!doctype html>\n<html lang="en">/)
  })

  test('carry the policy that keeps them to themselves', async () => {
    const { headers, status } = await visit('/sites/acme.com/visibility')
    const names = ['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy']
    const all = [...names, 'referrer-policy', 'x-content-type-options', 'cache-control', 'content-type', 'vary']
    expect(status).toBe(200)
    expect(Object.fromEntries(all.map((name) => [name, headers.get(name)]))).toEqual({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept, accept-encoding',
    })
  })

  test.each([undefined, '*/*', 'application/json', 'text/*', 'text/html;q=0, */*'])(
    'are unknown paths to Accept: %s, as before there were any',
    async (accept) => {
      for (const path of PAGES) {
        const answer = await service.send({ path, ...(accept !== undefined && { headers: { accept } }) })
        const request_id = answer.headers['x-request-id']
        const message = 'There is nothing at this path. GET /v1/openapi.json lists all paths.'
        expect(answer.status).toBe(404)
        expect(answer.text).toBe(JSON.stringify({ error: { code: 'not_found', message, request_id } }))
      }
    },
  )

  test('are only read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect([method, (await visit('/', ACCEPT, method)).status]).toEqual([method, 404])
    }
    const head = await visit('/sign-in', ACCEPT, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('stand on their own paths alone', async () => {
    for (const path of [
      '/index.html',
      '/sitesx',
      '/sites/',
      '/sites//x',
      '/sites/../x',
      '/v1',
      '/v1/',
      '/assets',
      '/ui',
    ]) {
      const answer = await service.send({ path, headers: { accept: ACCEPT } })
      expect([path, answer.status]).toEqual([path, 404])
    }
  })
})

describe('compression', () => {
  const take = (path: string, encodings: string): Promise<Response> =>
    fetch(service.url + path, { headers: { accept: ACCEPT, 'accept-encoding': encodings } })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['zstd', 'zstd'],
    ['br;q=0', null],
    ['identity', null],
  ] as const)('answers Accept-Encoding %s with %s, but what is short', async (accepted, encoding) => {
    const { page, files } = await loadAssets()
    expect([...files.values()].filter(({ text }) => text.plain.length > COMPRESSED_BYTES_MIN)).not.toEqual([])
    for (const [path, asset] of [['/sign-in', page] as const, ...files]) {
      const answer = await take(path, accepted)
      const expected = asset.text.plain.length > COMPRESSED_BYTES_MIN ? encoding : null
      expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, expected])
      expect(answer.headers.get('vary')).toContain('accept-encoding')
      expect(await answer.text()).toBe(asset.text.plain.toString())
    }
  })

  test('makes them as small as it can, once for each build', async () => {
    const { files } = await loadAssets()
    expect((await loadAssets()).files).toBe(files)
    for (const [path, { text }] of files) {
      if (text.plain.length <= COMPRESSED_BYTES_MIN) continue
      const { headers } = await take(path, 'br')
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      expect([path, Number(headers.get('content-length'))]).toEqual([
        path,
        brotliCompressSync(text.plain, { params }).length,
      ])
    }
  })
})

describe('assets', () => {
  test('are kept for ever under a name that changes with them', async () => {
    const page = await (await visit('/')).text()
    const paths = Array.from(page.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path)
    const files = await buildAssets()
    const shared = listFirst(files, 'app.js').slice(1)
    expect(paths.map((path) => path.replace(/[0-9a-f]{16}/, 'HASH'))).toEqual([
      '/assets/HASH/app.css',
      '/assets/HASH/app.js',
      ...shared.map((name) => `/assets/HASH/${name}`),
    ])
    for (const [name, type] of [
      ['app.css', 'text/css; charset=utf-8'],
      ['app.js', 'text/javascript; charset=utf-8'],
      ['methods.md', 'text/markdown; charset=utf-8'],
    ] as const) {
      const answer = await fetch(service.url + paths[1]?.replace('app.js', name))
      expect(answer.headers.get('content-type')).toBe(type)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await answer.text()).toBe(files[name])
    }
  })

  test('are not there under another name', async () => {
    const page = await (await visit('/')).text()
    const [, base = ''] = /"(\/assets\/[0-9a-f]+)\//.exec(page) ?? []
    for (const path of [`${base}/main.tsx`, `${base}/../app.js`, `${base}/`, base, '/assets/0000000000000000/app.js']) {
      expect([path, (await service.send({ path })).status]).toEqual([path, 404])
    }
  })

  test('load nothing from elsewhere, and weigh 60 KB and 12 KB at most on any page, 40 KB on the first', async () => {
    const files = await buildAssets()
    const weigh = (name: string): number => gzipSync(files[name] ?? '', { level: 9 }).length
    const scripts = Object.keys(files).filter((name) => name.endsWith('.js'))
    const first = listFirst(files, 'app.js')
    expect(Object.keys(files).filter((name) => !scripts.includes(name))).toEqual(['methods.md', 'app.css'])
    expect(sum(first.map(weigh))).toBeLessThanOrEqual(40 * 1_024)
    const ofViews = scripts.filter((name) => name.includes('-views-'))
    expect(ofViews).toHaveLength(3)
    for (const name of ofViews) {
      const page = new Set([...first, ...listFirst(files, name)])
      expect(sum([...page].map(weigh)), name).toBeLessThanOrEqual(60 * 1_024)
    }
    // A visit to every view has loaded all.
    expect(sum(scripts.map(weigh))).toBeLessThanOrEqual(84 * 1_024)
    expect(weigh('app.css')).toBeLessThanOrEqual(12 * 1_024)
    expect(sum(scripts.map(weigh))).toBeGreaterThan(10_000)
    expect(weigh('app.css')).toBeGreaterThan(50)
    expect(files['app.css']).not.toMatch(/@import|url\((?!["']?(data:|#))/)
    for (const name of scripts) expect(files[name]).not.toMatch(/\beval\(|new Function\(/)
  })
})

/** A script and those that it can't run without. */
function listFirst(files: Readonly<Record<string, string>>, name: string): string[] {
  const needed = (files[name] ?? '').matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)
  return [...new Set([name, ...Array.from(needed, ([, one = '']) => listFirst(files, one)).flat()])]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
