import { describe, expect, test } from 'vitest'
import type { ScanEntry } from '../../src/catalog/scans.ts'
import { openTestCatalog } from './support/test-catalog.ts'

/** A site on two engines with the active prompts 1 and 2 and the disabled prompt 3. */
function openWithSite() {
  const { catalog } = openTestCatalog()
  const site = catalog.sites.create({ name: 'Acme', domain: 'acme.com', platforms: ['chatgpt', 'claude'] })
  catalog.prompts.add(site.id, [
    { text: 'A?', category: 'Brand' },
    { text: 'B?', category: 'Brand' },
    { text: 'C?', category: 'Brand', status: 'disabled' },
  ])
  return { catalog, siteId: site.id, scans: catalog.scans }
}

function toEntry(platform: ScanEntry['platform'], promptNos: number[], counts: Partial<ScanEntry> = {}): ScanEntry {
  return { day: '2026-11-19', platform, promptNos, answers: promptNos.length, noAnswers: 0, ...counts }
}

describe('the last answer scan', () => {
  test('is null before the first import', () => {
    const { scans, siteId } = openWithSite()
    expect(scans.last(siteId)).toBeNull()
  })

  test.each<[string, ScanEntry[]]>([
    ['complete', [toEntry('chatgpt', [1, 2]), toEntry('claude', [1, 2])]],
    ['complete', [toEntry('chatgpt', [1, 2, 3]), toEntry('claude', [2, 1], { answers: 0, noAnswers: 2 })]],
    ['complete', [toEntry('chatgpt', [1, 2]), toEntry('claude', [1, 2]), toEntry('gemini', [1])]],
    ['partial', [toEntry('chatgpt', [1, 2]), toEntry('claude', [1, 3])]],
    ['partial', [toEntry('chatgpt', [1, 2])]],
    ['partial', [toEntry('gemini', [1, 2])]],
    ['failed', [toEntry('chatgpt', [1, 2], { answers: 0, noAnswers: 2 })]],
    [
      'failed',
      [
        toEntry('chatgpt', [1, 2], { answers: 0, noAnswers: 2 }),
        toEntry('claude', [1, 2], { answers: 0, noAnswers: 2 }),
      ],
    ],
  ])('is %s after %j', (status, entries) => {
    const { scans, siteId } = openWithSite()
    scans.record(siteId, entries)
    expect(scans.last(siteId)).toEqual({ date: '2026-11-19', status })
  })

  test('adds up over the imports of a day', () => {
    const { scans, siteId } = openWithSite()
    scans.record(siteId, [toEntry('chatgpt', [1], { answers: 0, noAnswers: 1 })])
    expect(scans.last(siteId)?.status).toBe('failed')
    scans.record(siteId, [toEntry('chatgpt', [2]), toEntry('claude', [2])])
    expect(scans.last(siteId)?.status).toBe('partial')
    scans.record(siteId, [toEntry('claude', [1])])
    expect(scans.last(siteId)?.status).toBe('complete')
  })

  test('is the newest day, whatever is imported later for older ones', () => {
    const { scans, siteId } = openWithSite()
    scans.record(siteId, [toEntry('chatgpt', [1, 2]), toEntry('claude', [1, 2])])
    scans.record(siteId, [toEntry('chatgpt', [1], { day: '2026-11-20' })])
    scans.record(siteId, [toEntry('claude', [1, 2], { day: '2026-11-18' })])
    expect(scans.last(siteId)).toEqual({ date: '2026-11-20', status: 'partial' })
    scans.record(siteId, [
      toEntry('claude', [1, 2], { day: '2026-11-21' }),
      toEntry('chatgpt', [1, 2], { day: '2026-11-20' }),
    ])
    expect(scans.last(siteId)).toEqual({ date: '2026-11-21', status: 'partial' })
  })

  test('is judged by the prompts and platforms of today', () => {
    const { catalog, scans, siteId } = openWithSite()
    scans.record(siteId, [toEntry('chatgpt', [1])])
    const [, second] = catalog.prompts.list(siteId).prompts
    catalog.prompts.setStatus(siteId, [second?.id ?? ''], 'disabled')
    expect(scans.last(siteId)?.status).toBe('partial')
    catalog.sites.set(siteId, { platforms: ['chatgpt'] })
    expect(scans.last(siteId)?.status).toBe('complete')
  })

  test('can be replaced after data was dropped, each site for itself', () => {
    const { catalog, scans, siteId } = openWithSite()
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    scans.record(siteId, [toEntry('chatgpt', [1, 2])])
    scans.record(other, [toEntry('chatgpt', [1])])
    scans.replace(siteId, [toEntry('claude', [1], { day: '2026-11-01' })])
    expect(scans.last(siteId)?.date).toBe('2026-11-01')
    scans.replace(siteId, [])
    expect([scans.last(siteId), scans.last(other)?.date]).toEqual([null, '2026-11-19'])
  })
})
