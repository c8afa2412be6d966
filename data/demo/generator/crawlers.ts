/** A crawler as the log shows it. Names are those of the bot catalogue (contract/api 5.9). */
export interface Crawler {
  readonly bot: string
  readonly userAgents: readonly string[]
  readonly hitsADay: number
  /** Hits of the last day per hit of the first day. */
  readonly growth: number
  /** Which published document lists its addresses; null: its provider publishes none. */
  readonly rangesOf: string | null
  /** Collects pages for an AI product, or fetches them for its users. */
  readonly ai: boolean
}

/** Addresses of documentation (RFC 5737, RFC 3849) that stand for what providers publish, by document. */
export const PUBLISHED_RANGES: Readonly<Record<string, { readonly v4: string; readonly v6?: string }>> = {
  GPTBot: { v4: '192.0.2.0/28', v6: '2001:db8:100::/48' },
  'OAI-SearchBot': { v4: '192.0.2.16/28' },
  'ChatGPT-User': { v4: '192.0.2.32/28' },
  ClaudeBot: { v4: '192.0.2.48/28', v6: '2001:db8:110::/48' },
  Googlebot: { v4: '192.0.2.64/28', v6: '2001:db8:120::/48' },
  bingbot: { v4: '192.0.2.80/28' },
  Applebot: { v4: '192.0.2.96/28' },
  CCBot: { v4: '192.0.2.112/28' },
  Amazonbot: { v4: '192.0.2.128/28' },
  DuckAssistBot: { v4: '192.0.2.144/28' },
  'MistralAI-User': { v4: '192.0.2.160/28' },
  PerplexityBot: { v4: '192.0.2.176/28' },
  'Perplexity-User': { v4: '192.0.2.192/28' },
}

const WEBKIT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko'

export const CRAWLERS: readonly Crawler[] = [
  crawler('GPTBot', 52, 1.5, [`${WEBKIT}); compatible; GPTBot/1.3; +https://openai.com/gptbot`]),
  crawler('OAI-SearchBot', 30, 1.4, [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot`,
  ]),
  crawler('ChatGPT-User', 24, 2.2, [
    `${WEBKIT}); compatible; ChatGPT-User/1.0; +https://openai.com/bot`,
    `${WEBKIT}); compatible; ChatGPT-User/2.0; +https://openai.com/bot`,
  ]),
  crawler('ClaudeBot', 38, 0.9, [`${WEBKIT}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)`]),
  crawler(
    'Claude-SearchBot',
    7,
    1.3,
    [`${WEBKIT}; compatible; Claude-SearchBot/1.0; +searchbot@anthropic.com)`],
    'ClaudeBot',
  ),
  crawler('Claude-User', 5, 1.8, [`${WEBKIT}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)`], 'ClaudeBot'),
  crawler('PerplexityBot', 12, 1, [`${WEBKIT}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`]),
  crawler('Perplexity-User', 6, 1, [
    `${WEBKIT}; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`,
  ]),
  crawler('Googlebot', 40, 1, [
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    `${WEBKIT}; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/141.0.0.0 Safari/537.36`,
  ]),
  crawler('GoogleOther', 4, 1, ['GoogleOther'], 'Googlebot'),
  crawler('bingbot', 26, 1, [
    `${WEBKIT}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/136.0.0.0 Safari/537.36`,
  ]),
  crawler('Applebot', 7, 1, [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  ]),
  crawler('CCBot', 6, 1, ['CCBot/2.0 (https://commoncrawl.org/faq/)']),
  crawler('Amazonbot', 8, 1, [
    `${WEBKIT}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36`,
  ]),
  crawler('DuckAssistBot', 2, 1, ['DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)']),
  crawler('MistralAI-User', 2, 1.5, [`${WEBKIT}; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)`]),
  crawler(
    'Bytespider',
    12,
    0.6,
    [
      'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    ],
    null,
  ),
  crawler(
    'meta-externalagent',
    9,
    1.2,
    ['meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
    null,
  ),
  crawler('claude-code', 1, 2, ['Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)'], null),
  {
    ...crawler('AhrefsBot', 9, 1, ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'], null),
    ai: false,
  },
  {
    ...crawler(
      'SemrushBot',
      9,
      1,
      ['Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)'],
      null,
    ),
    ai: false,
  },
  {
    ...crawler(
      'facebookexternalhit',
      2,
      1,
      ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
      null,
    ),
    ai: false,
  },
]

/** The files of `ranges/` by name, in the shape that providers publish (contract/logs 11, `bots update`). */
export function rangeFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const [bot, { v4, v6 }] of Object.entries(PUBLISHED_RANGES)) {
    const prefixes = [{ ipv4Prefix: v4 }, ...(v6 === undefined ? [] : [{ ipv6Prefix: v6 }])]
    const document = { creationTime: '2026-09-01T08:00:00.000000', prefixes }
    files.set(`${bot}.json`, `${JSON.stringify(document, null, 2)}\n`)
  }
  return files
}

function crawler(
  bot: string,
  hitsADay: number,
  growth: number,
  userAgents: readonly string[],
  rangesOf: string | null = bot,
): Crawler {
  return { bot, userAgents, hitsADay, growth, rangesOf, ai: true }
}
