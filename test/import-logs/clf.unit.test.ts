import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCombined, parseVhostCombined } from '../../src/import-logs/formats/clf.ts'
import { apacheEscape, hostileText, nginxEscape } from './encoders.ts'

const HEAD = '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000]'
const usual = {
  timeSeconds: 1_795_258_623,
  method: 'GET',
  path: '/',
  query: '',
  status: 200,
  userAgent: 'x',
  referer: '',
  address: '203.0.113.7',
  forwardedFor: '',
  host: '',
}

describe('combined', () => {
  it('gives back whatever user agent and referer a client sent, as Apache and nginx write them', () => {
    fc.assert(
      fc.property(
        hostileText,
        hostileText,
        fc.constantFrom(apacheEscape, nginxEscape),
        (userAgent, referer, escape) => {
          const line = `${HEAD} "GET / HTTP/1.1" 200 5 "${escape(referer)}" "${escape(userAgent)}"`
          expect(parseCombined(line)).toEqual({ ...usual, userAgent, referer })
          expect(parseCombined(`${line} "198.51.100.1"`)).toEqual({
            ...usual,
            userAgent,
            referer,
            forwardedFor: '198.51.100.1',
          })
          expect(parseVhostCombined(`example.com:443 ${line}`)).toEqual({
            ...usual,
            userAgent,
            referer,
            host: 'example.com',
          })
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('gives back path, query and user, however hostile', () => {
    const target = hostileText.map((text) => text.replace(/[?#\s]/g, ''))
    fc.assert(
      fc.property(
        target,
        target,
        hostileText,
        fc.constantFrom(apacheEscape, nginxEscape),
        (path, query, user, escape) => {
          const line = `203.0.113.7 - ${escape(user)} [21/Nov/2026:10:57:03 +0000] "GET /${escape(path)}?${escape(query)} HTTP/1.1" 200 5 "-" "x"`
          expect(parseCombined(line)).toEqual({ ...usual, path: `/${path}`, query })
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
