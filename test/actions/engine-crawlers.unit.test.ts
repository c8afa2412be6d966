import { expect, test } from 'vitest'
import { CRAWLER_PROVIDERS } from '../../src/actions/engine-crawlers.ts'
import { findBotByName } from '../../src/reference/bots.ts'

test('every crawler is in the catalogue, under its provider, and fetches for answers', () => {
  for (const { id, crawlers } of CRAWLER_PROVIDERS) {
    for (const crawler of crawlers) {
      expect({ crawler, provider: findBotByName(crawler)?.provider }).toEqual({ crawler, provider: id })
      expect(['index', 'ai_assistant']).toContain(findBotByName(crawler)?.type)
    }
  }
})
