import * as v from 'valibot'
import content from '../../data/bots.json' with { type: 'json' }
import { BOT_TYPES, type BotType } from '../domain/enums.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

/** A robot of the catalogue (contract/api 5.9). */
export interface Bot {
  /** Small integer that belongs to the name for good; stored rows name the bot by it. */
  readonly botNo: number
  /** The token that the provider documents: `GPTBot`, `meta-externalagent`. */
  readonly name: string
  /** Lower-case slug: `openai`. */
  readonly provider: string
  /** null: recognised, so that it is no visitor, and never reported. */
  readonly type: BotType | null
  /** Without one of these in the user agent, whatever its case, it is another's. None: the user agent never names it. */
  readonly tokens: readonly string[]
  /** Regular expression that the user agent must match where a token as a whole word would not be exact enough. */
  readonly pattern: string | undefined
  /** Host in the request header `Signature-Agent`, for a bot whose user agent is a browser's. */
  readonly signatureAgent: string | undefined
  /** A user agent it sends; null where none is known. */
  readonly example: string | null
  readonly documentationUrl: string
  /** The document of address ranges published for it; null: none is published. */
  readonly rangesUrl: string | null
}

/** A published document of address ranges and the bots it serves. */
export interface RangesDocument {
  readonly url: string
  /** The provider lists its ranges in the text of a web page instead of JSON. */
  readonly isPage: boolean
  /** In the catalogue's order; at least one. */
  readonly bots: readonly Bot[]
}

const url = v.pipe(v.string(), v.regex(/^https?:\/\/[^\s]+$/))
const text = v.pipe(v.string(), v.nonEmpty())

/** Highest number that a bot may have: keys of hits have ten bits for it. */
export const BOT_NO_MAX = 1_023

const botFile = v.strictObject({
  ...HEAD,
  bots: v.array(
    v.strictObject({
      bot_no: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(BOT_NO_MAX)),
      name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9 ._!-]*$/)),
      provider: v.pipe(v.string(), v.regex(/^[a-z0-9]+$/)),
      type: v.nullable(v.picklist(BOT_TYPES)),
      tokens: v.array(text),
      pattern: v.optional(text),
      signature_agent: v.optional(text),
      example: v.nullable(text),
      documentation_url: url,
      ranges_url: v.nullable(url),
      ranges_page: v.optional(v.literal(true)),
      note: v.optional(text),
      ...SOURCED,
    }),
  ),
})

const entries = parseCatalogue('bots.json', botFile, content).bots

const BOTS: readonly Bot[] = entries.map((entry) => ({
  botNo: entry.bot_no,
  name: entry.name,
  provider: entry.provider,
  type: entry.type,
  tokens: entry.tokens,
  pattern: entry.pattern,
  signatureAgent: entry.signature_agent,
  example: entry.example,
  documentationUrl: entry.documentation_url,
  rangesUrl: entry.ranges_url,
}))

const BY_NAME: ReadonlyMap<string, Bot> = new Map(BOTS.map((bot) => [bot.name, bot]))
const BY_NO: ReadonlyMap<number, Bot> = new Map(BOTS.map((bot) => [bot.botNo, bot]))
const PAGES: ReadonlySet<string | null> = new Set(
  entries.filter((entry) => entry.ranges_page).map((entry) => entry.ranges_url),
)
const DOCUMENTS: readonly RangesDocument[] = listDocuments()

/** The catalogue in its order, which decides: specific before general. */
export function listBots(): readonly Bot[] {
  return BOTS
}

/** The bot of that name, case-sensitive, as in `DIR/<bot_name>.json` of `bots update` (contract/logs 11). */
export function findBotByName(name: string): Bot | undefined {
  return BY_NAME.get(name)
}

/** The bot of a stored number. */
export function findBotByNo(botNo: number): Bot | undefined {
  return BY_NO.get(botNo)
}

/** Every bot, in the catalogue's order, whose ranges are those of this document; a file for one of them serves them all. */
export function botsOfDocument(documentUrl: string): readonly Bot[] {
  return BOTS.filter((bot) => bot.rangesUrl === documentUrl)
}

/** The documents that `bots update` loads: those of bots that reports can show, each once, in the catalogue's order. */
export function listRangesDocuments(): readonly RangesDocument[] {
  return DOCUMENTS
}

function listDocuments(): readonly RangesDocument[] {
  const urls = new Set<string>()
  for (const { rangesUrl, type } of BOTS) if (rangesUrl !== null && type !== null) urls.add(rangesUrl)
  return [...urls].map((url) => ({ url, isPage: PAGES.has(url), bots: botsOfDocument(url) }))
}
