import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openData } from '../../faults/support/world.ts'
import { TEST_COMPETITORS, TEST_SITE } from '../engines/answers.ts'
import type { EngineProvider } from '../engines/secrets.ts'

/** What is asked, whom, and for how much. */
export interface ScanSetup {
  readonly prompts: number
  readonly targets: readonly ScanTarget[]
  readonly samples: number
  readonly concurrency: number
  readonly usdDay: number
  /** As many sites with the same prompts, of one organization. */
  readonly sites?: number
}

export interface ScanTarget {
  readonly engine: string
  readonly provider: EngineProvider
  readonly model?: string
  readonly id?: string
  readonly role?: 'shadow'
}

/** One target an engine, of all providers but one that is a gateway, and a shadow. */
export const ALL_TARGETS: readonly ScanTarget[] = [
  { engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' },
  { engine: 'claude', provider: 'anthropic', model: 'claude-sonnet-5' },
  { engine: 'gemini', provider: 'gemini', model: 'gemini-3' },
  { engine: 'perplexity', provider: 'perplexity', model: 'sonar' },
  { engine: 'ai_overviews', provider: 'serpapi' },
  { engine: 'ai_mode', provider: 'dataforseo' },
  { engine: 'copilot', provider: 'brightdata' },
  { engine: 'ai_overviews', provider: 'searchapi', id: 'overviews-shadow', role: 'shadow' },
]

export const siteIdOf = (index: number): string => (index === 0 ? TEST_SITE.id : `${TEST_SITE.id}${index}`)

/** A data directory with sites and prompts, and nothing asked yet. */
export async function makeScanTemplate(dataDir: string, setup: Pick<ScanSetup, 'prompts' | 'sites'>): Promise<void> {
  await using app = await openData(dataDir, true)
  const { catalog } = app
  for (let index = 0; index < (setup.sites ?? 1); index++) {
    const id = siteIdOf(index)
    const domain = index === 0 ? TEST_SITE.domain : `acme${index}.com`
    catalog.sites.create({ id, name: TEST_SITE.name, domain, market: 'Germany' })
    for (const competitor of TEST_COMPETITORS) {
      catalog.competitors.add(id, { ...competitor, id: `${competitor.id}${index}` })
    }
    catalog.prompts.add(
      id,
      Array.from({ length: setup.prompts }, (_, prompt) => ({
        id: index === 0 ? `p${prompt}` : `s${index}p${prompt}`,
        text: toPromptText(index, prompt),
        category: 'Discovery',
        ...(prompt % 3 === 2 ? { market: 'Japan' } : {}),
      })),
    )
  }
}

/** Unlike in each site, so that a purchase tells whose it is. */
function toPromptText(site: number, prompt: number): string {
  return `Which tool ${prompt} is best for “team ${site}”? 50 % & more`
}

/** A copy of a template, which nobody has open, set up to ask the engines at `url`. */
export function cloneScanWorld(template: string, dataDir: string, setup: ScanSetup, url: string): void {
  cpSync(template, dataDir, { recursive: true })
  configureScan(dataDir, setup, url)
}

export function configureScan(dataDir: string, setup: ScanSetup, url: string): void {
  const { targets, samples, concurrency, usdDay } = setup
  const providers = Object.fromEntries(
    targets.map(({ provider }) => [provider, { base_url: `${url}/${provider}`, concurrency, per_minute: 100_000 }]),
  )
  mkdirSync(dataDir, { recursive: true })
  const config = { targets, providers, samples, budget: { usd_day: usdDay } }
  writeFileSync(join(dataDir, 'scan.json'), JSON.stringify(config))
}
