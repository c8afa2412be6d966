import type { EngineId, Sentiment } from '../../../src/domain/enums.ts'
import type { World, WorldPrompt, WorldRecord } from './world.ts'
import { type OracleLink, readLinks } from './links.ts'
import { findNamed, foldName } from './mentions.ts'

export interface OracleBrand {
  readonly name: string
  readonly spellings: readonly string[]
  /** Spellings whose case counts. */
  readonly exact: readonly string[]
  readonly domains: readonly string[]
  readonly isOwn: boolean
  readonly isConfirmed: boolean
}

export interface OracleAnswer {
  /** Null: the program makes one that the contract doesn't fix. */
  readonly id: string | null
  readonly day: string
  readonly askedAtMs: number | null
  readonly platform: EngineId
  readonly prompt: WorldPrompt
  readonly text: string
  readonly sentiment: Sentiment | null
  /** In order of first appearance. */
  readonly brands: readonly OracleBrand[]
  readonly links: readonly OracleLink[]
  readonly model: string | null
  readonly provider: string | null
  readonly market: string | null
  readonly consulted: WorldRecord['consulted']
  /** As given; undefined where nothing was. */
  readonly searches: readonly string[] | undefined
}

/** What an import's result counts. */
export interface OracleCounts {
  imported: number
  duplicates: number
  no_answer: number
  citations_dropped: number
}

/** Everything that reports of a site are about, after some imports. */
export interface Truth {
  readonly world: World
  /** The own brand first, then the competitors, discovered ones last. */
  readonly brands: readonly OracleBrand[]
  readonly answers: readonly OracleAnswer[]
  /** One entry an import. */
  readonly counts: readonly OracleCounts[]
}

/** Reads the imports one after the other, record by record, as contract/imports 2 says. */
export function readTruth(world: World, imports: World['imports'] = world.imports): Truth {
  const brands: OracleBrand[] = [
    toBrand({ ...world.site, domains: [world.site.domain], confirmed: true }, true),
    ...world.competitors.map((competitor) => toBrand(competitor, false)),
  ]
  const answers: OracleAnswer[] = []
  const seen = new Set<string>()
  const counts = imports.map((files) => {
    const known = [...brands]
    const count: OracleCounts = { imported: 0, duplicates: 0, no_answer: 0, citations_dropped: 0 }
    for (const record of files.flat()) {
      const prompt = findPrompt(world.prompts, record)
      const text = record.text ?? ''
      const day = record.date ?? record.asked_at!.slice(0, 10)
      const links = text === '' ? [] : readLinks(record.citations ?? [])
      const key = record.id ?? JSON.stringify([record.platform, prompt.id, day, text])
      if (seen.has(key)) {
        count.duplicates++
        continue
      }
      seen.add(key)
      if (text !== '') count.citations_dropped += (record.citations ?? []).length - links.length
      if (text === '') {
        count.no_answer++
        continue
      }
      count.imported++
      answers.push({
        id: record.id ?? null,
        day,
        askedAtMs: record.asked_at === undefined ? null : toMs(record.asked_at),
        platform: record.platform,
        prompt,
        text,
        sentiment: record.sentiment ?? null,
        brands: record.mentions === undefined ? findNamed(text, known) : readMentions(record.mentions, brands),
        links,
        searches: record.search_queries,
        model: record.model ?? null,
        provider: record.provider ?? null,
        market: record.market ?? null,
        consulted: record.consulted,
      })
    }
    return count
  })
  return { world, brands, answers, counts }
}

function toBrand(
  {
    name,
    aliases,
    exact = [],
    domains,
    confirmed,
  }: {
    name: string
    aliases: readonly string[]
    exact?: readonly string[]
    domains: readonly string[]
    confirmed: boolean
  },
  isOwn: boolean,
): OracleBrand {
  return { name, spellings: [name, ...aliases], exact, domains, isOwn, isConfirmed: confirmed }
}

function findPrompt(prompts: readonly WorldPrompt[], record: WorldRecord): WorldPrompt {
  return record.prompt_id === undefined
    ? prompts.find(({ text }) => text.normalize('NFC').trim() === record.prompt!.normalize('NFC').trim())!
    : prompts.find(({ id }) => id === record.prompt_id)!
}

function toMs(askedAt: string): number {
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(askedAt) ? askedAt : `${askedAt}Z`)
}

/** A name that no brand has becomes one, unconfirmed. */
function readMentions(names: readonly string[], brands: OracleBrand[]): OracleBrand[] {
  const named = names.map((name) => {
    const known = findBrand(brands, name)
    if (known) return known
    const found = toBrand({ name: name.normalize('NFC').trim(), aliases: [], domains: [], confirmed: false }, false)
    brands.push(found)
    return found
  })
  return [...new Set(named)]
}

/** The brand that has the name as one of its spellings. */
export function findBrand(brands: readonly OracleBrand[], name: string): OracleBrand | undefined {
  return brands.find(({ spellings }) => spellings.some((spelling) => foldName(spelling) === foldName(name)))
}
