import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listProviders } from '../../../src/collect/providers/index.ts'
import { ROOT } from '../../support/sources.ts'
import { toQuestion } from './questions.ts'

const page = readFileSync(join(ROOT, 'docs/collecting-providers.md'), 'utf8')
const PROMPT = 'What is the best CRM for a small dental practice?'

describe('docs/collecting-providers.md', () => {
  it.each(listProviders().map((provider) => [provider.id, provider] as const))(
    'says of %s whom it asks, where, and its terms',
    (id, provider) => {
      const section = page.split(/^### /m).find((each) => each.includes(`\n\`${id}\` · `)) ?? ''
      expect(section).not.toBe('')
      if (provider.id !== 'custom') for (const engine of provider.engines) expect(section).toContain(`\`${engine}\``)
      if (provider.defaultBaseUrl !== undefined) expect(section).toContain(`\`${provider.defaultBaseUrl}\``)
      expect(section).toContain(/https:\S+/.exec(provider.terms)?.[0] ?? 'Those of the server'.toLowerCase())
    },
  )

  it('names the price of each engine by each provider, as a plan does', () => {
    const rows = listProviders().flatMap((provider) => {
      const engines = provider.id === 'custom' ? provider.engines.slice(0, 1) : provider.engines
      return engines.map((engine) => {
        const question = { ...toQuestion(provider, { engine, market: 'Germany' }), prompt: PROMPT }
        const { lowMicros, highMicros } = provider.price(question)
        const said = provider.id === 'custom' ? 'any, unknown model' : `\`${engine}\``
        return `| ${provider.name} | ${said} | ${toUsd(lowMicros)} | ${toUsd(highMicros)} |`
      })
    })
    expect(page).toContain(rows.join('\n'))
  })
})

function toUsd(micros: number): string {
  return (micros / 1e6).toFixed(4)
}
