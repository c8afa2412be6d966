import * as v from 'valibot'
import content from '../../data/markets.json' with { type: 'json' }
import type { Market } from '../domain/market.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const place = {
  name: text,
  country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
  language: v.pipe(v.string(), v.regex(/^[a-z]{2}(-[A-Z]{2})?$/)),
  also: v.array(text),
  ...SOURCED,
}

const marketFile = v.strictObject({
  ...HEAD,
  countries: v.array(
    v.strictObject({ ...place, location_code: v.pipe(v.number(), v.integer()), time_zone: v.optional(text) }),
  ),
  cities: v.array(v.strictObject({ ...place, city: text, region: text, time_zone: text })),
})

const file = parseCatalogue('markets.json', marketFile, content)
const byName = new Map<string, Market>()
const countryNames = new Map<string, readonly string[]>()
for (const { name, country, language, location_code, time_zone, also } of file.countries) {
  const names = [name, country, ...also]
  const market = { name, country, language, locationCode: location_code, timeZone: time_zone }
  countryNames.set(country, names)
  for (const each of names) byName.set(toKey(each), { ...market, city: undefined, region: undefined })
}
for (const { name, country, language, city, region, time_zone, also } of file.cities) {
  const market = { name, country, language, locationCode: undefined, city, region, timeZone: time_zone }
  for (const each of [city, ...also]) {
    const ends = (countryNames.get(country) ?? []).flatMap((end) => [`, ${end}`, `, ${region}, ${end}`])
    for (const end of ['', `, ${region}`, ...ends]) byName.set(toKey(`${each}${end}`), market)
  }
}

/**
 * The place that a market names: by its name, its country code, or a city with its country, in any case. A language and a
 * country (`fr-CH`) are that country in that language. Undefined where `data/markets.json` knows no such place.
 */
export function findMarket(market: string): Market | undefined {
  const locale = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(market.trim())
  const place = byName.get(toKey(locale?.[2] ?? market))
  const language = locale?.[1]?.toLowerCase()
  return place === undefined || language === undefined || place.language.startsWith(language)
    ? place
    : { ...place, language }
}

function toKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s*,\s*/g, ',')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
