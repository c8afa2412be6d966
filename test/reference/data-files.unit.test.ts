import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const DATA = new URL('../../data/', import.meta.url)
const FILES = [
  'engines',
  'bots',
  'referral_sources',
  'page_types',
  'source_kinds',
  'tracking_parameters',
  'hangul_particles',
  'redirect_wrappers',
  'ordinary_words',
  'markets',
  'provider_prices',
  'labelled_answers',
].map((name) => `${name}.json`)

interface Entry {
  readonly source: string
  readonly date: string
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(file, DATA), 'utf8')) as Record<string, unknown>
}

function entriesOf(content: Record<string, unknown>): Entry[] {
  const { about: _about, sources: _sources, ...parts } = content
  return Object.values(parts).flat() as Entry[]
}

describe.each(FILES)('data/%s', (file) => {
  const content = read(file)
  const sources = Object.keys(content['sources'] as object)

  it('says what it holds', () => {
    expect(content['about']).toMatch(/^[A-Z].*\.$/)
  })

  it('has a known source and a date that has been at every entry, and uses each source', () => {
    const entries = entriesOf(content)
    const unsourced = entries.filter(
      ({ source, date }) => !sources.includes(source) || !(date > '2025' && date < '2027'),
    )
    expect(unsourced).toEqual([])
    expect([...new Set(entries.map(({ source }) => source))].sort()).toEqual(sources.toSorted())
  })
})
