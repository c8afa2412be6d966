import type { EngineId } from '../../../src/domain/enums.ts'
import {
  LAST_DAY_OF_LOST_PAGES,
  MISSED_SOURCES,
  OWN_CITATION_FACTOR_BESIDE_MISSED_SOURCE,
  OWN_CITATION_SHARE,
} from '../truths.ts'
import type { Prompt } from './prompts.ts'
import type { SeededRandom } from './random.ts'
import {
  COMPETITOR_PATHS,
  LOST_PAGES,
  OWN_PAGES,
  THIRD_PARTY_PAGES,
  weightOf,
  type SourcePage,
} from './source-pages.ts'
import { OWN_BRAND, type Brand } from './world.ts'

/** A link as the native format takes it (contract/imports 2.1). */
export type CitationInput = string | { readonly url: string; readonly title?: string; readonly domain?: string }

/** What decides which sources an answer gives. */
export interface SourceChoice {
  readonly engine: EngineId
  readonly prompt: Prompt
  /** 0 is the first day of the demo. */
  readonly day: number
  readonly named: readonly Brand[]
  readonly random: SeededRandom
}

const CITATIONS_MAX = 8
const LINKED_TWICE_SHARE = 0.06
const COUNTS: Readonly<Record<EngineId, readonly [number, number]>> = {
  ai_overviews: [2, 6],
  ai_mode: [3, 8],
  chatgpt: [0, 5],
  perplexity: [3, 8],
  gemini: [0, 5],
  copilot: [1, 4],
  claude: [0, 3],
}

/** The sources of an answer in their order, none to eight. */
export function chooseCitations(choice: SourceChoice): CitationInput[] {
  const { engine, named, prompt, random } = choice
  const count = random.between(...COUNTS[engine])
  if (count === 0) return []
  const missed = MISSED_SOURCES.filter(
    (source) => source.categories.includes(prompt.category) && random.chance(source.share),
  )
  const ownShare = named.includes(OWN_BRAND) ? OWN_CITATION_SHARE.named : OWN_CITATION_SHARE.notNamed
  const ownFactor = missed.length > 0 ? OWN_CITATION_FACTOR_BESIDE_MISSED_SOURCE : 1
  const pages: SourcePage[] = missed.map(({ url, title }) => ({ url, title }))
  if (random.chance(ownShare * ownFactor)) pages.push(ownPage(choice))
  for (const brand of named) {
    if (brand !== OWN_BRAND && random.chance(0.16)) pages.push(competitorPage(brand, random))
  }
  const fitting = THIRD_PARTY_PAGES.filter((page) => page.categories?.includes(prompt.category) ?? true)
  while (pages.length < count) {
    const page = random.pickWeighted(fitting, weightOf)
    if (!pages.includes(page) || random.chance(LINKED_TWICE_SHARE)) pages.push(page)
  }
  return random.shuffle(pages.slice(0, CITATIONS_MAX)).map((page) => linkTo(page, engine, random))
}

function ownPage({ day, random }: SourceChoice): SourcePage {
  const pages = day <= LAST_DAY_OF_LOST_PAGES ? [...OWN_PAGES, ...LOST_PAGES] : OWN_PAGES
  return random.pickWeighted(pages, weightOf)
}

function competitorPage(brand: Brand, random: SeededRandom): SourcePage {
  const domain = random.chance(0.12) ? random.pick([brand.domain, ...brand.otherDomains]) : brand.domain
  return { url: `https://www.${domain}${random.pick(COMPETITOR_PATHS)}`, title: `${brand.name} official site` }
}

/** Engines hand out links in their own ways: with tracking, with a text fragment, behind a redirect, without a title. */
function linkTo(page: SourcePage, engine: EngineId, random: SeededRandom): CitationInput {
  const form = random.next()
  if (engine === 'gemini' && form < 0.08) return redirectTo(page, random)
  const url = urlFor(page.url, engine, random)
  if (form > 0.95) return url
  return form > 0.88 ? { url } : { url, title: page.title }
}

function redirectTo(page: SourcePage, random: SeededRandom): CitationInput {
  const token = Array.from({ length: 4 }, () => random.between(0x1000, 0xffff).toString(36)).join('')
  const domain = new URL(page.url).host.replace(/^www\./, '')
  return { url: `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token}`, title: domain, domain }
}

function urlFor(url: string, engine: EngineId, random: SeededRandom): string {
  const joint = url.includes('?') ? '&' : '?'
  if (engine === 'chatgpt' && random.chance(0.7)) return `${url}${joint}utm_source=chatgpt.com`
  if (engine === 'ai_overviews' && random.chance(0.2)) return `${url}#:~:text=help%20desk,support`
  if (engine === 'copilot' && random.chance(0.05)) return `${url}${joint}msclkid=${random.between(100000, 999999)}`
  if (random.chance(0.01)) return `${url}${joint}utm_medium=referral&gclid=Cj${random.between(100000, 999999)}`
  return url
}
