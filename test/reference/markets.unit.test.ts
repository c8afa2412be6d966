import { describe, expect, it } from 'vitest'
import { findMarket } from '../../src/reference/markets.ts'

describe('a market', () => {
  it.each(['Germany', 'germany', ' GERMANY ', 'DE', 'de', 'Deutschland', 'de-DE', 'de_de'])('%s is Germany', (name) => {
    expect(findMarket(name)).toEqual({
      name: 'Germany',
      country: 'DE',
      language: 'de',
      locationCode: 2276,
      timeZone: 'Europe/Berlin',
      city: undefined,
      region: undefined,
    })
  })

  it.each(['US', 'us', 'USA', 'United States', 'United  States', 'en-US'])('%s is the United States', (name) => {
    expect(findMarket(name)).toMatchObject({ country: 'US', locationCode: 2840, timeZone: undefined })
  })

  it.each(['Berlin', 'Berlin, Germany', 'berlin,germany', 'Berlin, DE', 'Berlin,Berlin,Germany', 'Berlin, Berlin, DE'])(
    '%s is the city of Berlin',
    (name) => {
      expect(findMarket(name)).toEqual({
        name: 'Berlin,Berlin,Germany',
        country: 'DE',
        language: 'de',
        locationCode: undefined,
        timeZone: 'Europe/Berlin',
        city: 'Berlin',
        region: 'Berlin',
      })
    },
  )

  it('takes the language of a locale where it is another than the country’s', () => {
    expect(findMarket('fr-CH')).toMatchObject({ country: 'CH', language: 'fr' })
    expect(findMarket('zh-TW')).toMatchObject({ country: 'TW', language: 'zh-TW' })
    expect(findMarket('en-UK')).toMatchObject({ country: 'GB', language: 'en' })
  })

  it.each(['', 'DACH', 'Europe', 'Paris, Texas', 'Springfield', 'en-XX', 'Germany, Berlin'])(
    '%s is no place here',
    (name) => {
      expect(findMarket(name)).toBeUndefined()
    },
  )
})
