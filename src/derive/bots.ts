import { isbot } from 'isbot'
import { type Bot, listBots } from '../reference/bots.ts'
import { memoize } from './memo.ts'

/** Tells robots by what a request says of itself. Made once an import; remembers what it found for each distinct user agent. */
export interface BotMatcher {
  /**
   * The catalogue's bot, of whatever type (null: never reported), that the user agent names; where it names none, the one
   * that the header `Signature-Agent` names, when the log keeps it.
   */
  find(userAgent: string, signatureAgent?: string): Bot | undefined
  /**
   * Whether a request with this user agent is no person's: a bot of the catalogue or any other robot. An absent one (empty
   * or `-`) says nothing, since many logs don't keep it, and is no robot.
   */
  isCrawler(userAgent: string): boolean
}

/** The matcher of the bundled catalogue, in its order (contract/api 5.9). Linear in the length of the user agent. */
export function createBotMatcher(): BotMatcher {
  const candidates = listBots().flatMap(toCandidate)
  const anyToken = new RegExp([...new Set(candidates.flatMap((bot) => bot.tokens))].map(escape).join('|'))
  const signers = new Map(
    listBots().flatMap((bot) => (bot.signatureAgent === undefined ? [] : [[bot.signatureAgent, bot]])),
  )

  const identify = memoize((userAgent) => {
    const lowerCase = userAgent.toLowerCase()
    const named = anyToken.test(lowerCase) ? candidates.find((candidate) => isNamed(candidate, lowerCase)) : undefined
    return { bot: named?.bot, isCrawler: named !== undefined || (userAgent !== '-' && isbot(userAgent)) }
  })

  return {
    find: (userAgent, signatureAgent) =>
      identify(userAgent).bot ?? (signatureAgent ? signers.get(toSignerHost(signatureAgent)) : undefined),
    isCrawler: (userAgent) => identify(userAgent).isCrawler,
  }
}

interface Candidate {
  readonly bot: Bot
  /** Lower-case; a search for them is much cheaper than the expression, which only runs where one is found. */
  readonly tokens: readonly string[]
  readonly expression: RegExp
}

function toCandidate(bot: Bot): Candidate[] {
  if (bot.tokens.length === 0) return []
  const source = bot.pattern ?? bot.tokens.map(toWholeWord).join('|')
  return [{ bot, tokens: bot.tokens.map((token) => token.toLowerCase()), expression: new RegExp(source, 'i') }]
}

/** `CCBot` is not in `ABCCBot`, it is in `CCBot-test`; a token that ends in `/` ends a word by itself. */
function toWholeWord(token: string): string {
  const before = /^[a-z0-9]/i.test(token) ? '(?<![a-z0-9])' : ''
  const after = /[a-z0-9]$/i.test(token) ? '(?![a-z0-9])' : ''
  return `${before}${escape(token)}${after}`
}

function isNamed({ tokens, expression }: Candidate, lowerCase: string): boolean {
  return tokens.some((token) => lowerCase.includes(token)) && expression.test(lowerCase)
}

/** Host of `"https://chatgpt.com"` or `sig1="https://chatgpt.com"`, as logs hold the header; '' when it names none. */
function toSignerHost(header: string): string {
  return (/https:\/\/([a-z0-9.-]+)/i.exec(header)?.[1] ?? '').toLowerCase()
}

function escape(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
