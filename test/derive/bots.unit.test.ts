import { describe, expect, it } from 'vitest'
import { createBotMatcher } from '../../src/derive/bots.ts'
import { findBotByName, listBots } from '../../src/reference/bots.ts'

const matcher = createBotMatcher()
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

function nameOf(userAgent: string): string | undefined {
  return matcher.find(userAgent)?.name
}

describe('the catalogue', () => {
  const examples = listBots().flatMap((bot) => (bot.example === null ? [] : [[bot.name, bot.example] as const]))

  it('has examples of more than 150 bots', () => {
    expect(examples.length).toBeGreaterThan(150)
  })

  it.each(examples)('finds %s in its own user agent: %s', (name, example) => {
    expect(nameOf(example)).toBe(name)
    expect(nameOf(example.toLowerCase())).toBe(name)
    expect(nameOf(example.toUpperCase())).toBe(name)
  })

  it('finds every bot by each of its tokens in a user agent of the common form', () => {
    const found = listBots()
      .filter(({ pattern }) => pattern === undefined)
      .flatMap(({ name, tokens }) =>
        tokens.map((token) => [name, token, nameOf(`Mozilla/5.0 (${toProduct(token)}; x)`)]),
      )
    expect(found.filter(([name, , by]) => name !== by)).toEqual([])
  })

  function toProduct(token: string): string {
    return token.endsWith('/') ? `${token}1.0` : `${token}/1.0`
  }
})

describe('an ordinary browser is no bot', () => {
  it.each([
    CHROME,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 14; SM-S921B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/126.0.0.0',
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/340.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.1; WOW64; Trident/6.0)',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:15.0) Gecko/20100101 Firefox/15.0.1',
  ])('%s', (userAgent) => {
    expect([nameOf(userAgent), matcher.isCrawler(userAgent)]).toEqual([undefined, false])
  })
})

describe('agents on developers’ own machines', () => {
  it('are not the assistant whose token they carry, so that their addresses are not called spoofed', () => {
    const agents = ['claude-code/2.1.86', 'opencode/1.0', 'Cursor/1.0', 'GitHubCopilotChat/0.30', 'Trae-Agent/1.0']
    expect(agents.map((agent) => nameOf(`Claude-User (${agent}; +https://support.anthropic.com/)`))).toEqual([
      'claude-code',
      'opencode',
      'Cursor',
      'GitHubCopilotChat',
      'Trae',
    ])
    expect(nameOf('Claude-User (Google-Gemini-CLI/1.0)')).toBe('Google-Gemini-CLI')
    expect(
      nameOf(
        'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
      ),
    ).toBe('Claude-User')
  })
})

describe('an agent with the user agent of a browser', () => {
  it.each(['"https://chatgpt.com"', 'https://chatgpt.com', 'sig1="https://chatgpt.com"', '"https://ChatGPT.com/"'])(
    'is found by its header Signature-Agent: %s',
    (header) => {
      expect(matcher.find(CHROME, header)?.name).toBe('ChatGPT Agent')
      expect(matcher.find(CHROME, header)?.type).toBe('ai_agent')
    },
  )

  it.each(['', '-', '"https://chatgpt.com.evil.example"', '"https://evil.example/https://chatgpt.com"', 'chatgpt.com'])(
    'is not found by another value of it: %s',
    (header) => {
      expect(matcher.find(CHROME, header)).toBeUndefined()
    },
  )

  it('leaves a bot that its user agent names as it is', () => {
    expect(matcher.find('GPTBot/1.3', '"https://chatgpt.com"')?.name).toBe('GPTBot')
  })
})

describe('tokens for robots.txt', () => {
  it('that no provider sends are recognised and never reported', () => {
    const found = ['Google-Extended/1.0', 'Mozilla/5.0 (compatible; Applebot-Extended/0.1)'].map((ua) =>
      matcher.find(ua),
    )
    expect(found.map((bot) => [bot?.name, bot?.type])).toEqual([
      ['Google-Extended', null],
      ['Applebot-Extended', null],
    ])
  })
})

describe('who only writes of Googlebot is not Googlebot', () => {
  it.each([
    'FreshRSS/1.24.3 (Linux; https://freshrss.org) like Googlebot',
    'Gwene/1.0 (The gwene.org rss-to-news gateway) Googlebot',
    'sentibot.eu/1.0 (www.sentibot.eu; compatible with Googlebot)',
    'acapbot/0.1 (+http://example.com; treat like Googlebot)',
    'NotGooglebot/1.0',
    'Googlebots/2.1',
  ])('%s', (userAgent) => {
    expect(nameOf(userAgent)).toBeUndefined()
  })

  it.each([
    'Googlebot/2.1 (+http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Googlebot/2.1;+http://www.google.com/bot.html)',
    'DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/141.0.0.0 Safari/537.36',
  ])('and this one is: %s', (userAgent) => {
    expect(nameOf(userAgent)).toBe('Googlebot')
  })
})

describe('one bot is not taken for another whose name it holds', () => {
  it.each([
    ['Mozilla/5.0 (compatible; adidxbot/2.0; +http://www.bing.com/bingbot.htm)', 'adidxbot'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
    ['Mozilla/5.0 (compatible; AmazonAdBot/1.0; +https://adbot.amazon.com)', 'AmazonAdBot'],
    ['Mozilla/5.0 (compatible; Applebot-Extended/0.1)', 'Applebot-Extended'],
    ['Mozilla/5.0 (compatible; Exabot/3.0 (BiggerBetter); +http://www.exabot.com/go/robot)', undefined],
    ['Mozilla/5.0 (compatible; Exabot-Images/1.0; +http://www.exabot.com/go/robot)', undefined],
    ['Mozilla/5.0 (compatible; ExaBot; +https://crawler.exa.ai/)', 'ExaSearchBot'],
    ['Mozilla/5.0 (Unknown) Daumoa/4.0 (Following Mediapartners-Google)', 'Daum'],
    ['facebookexternalhit/1.1 Facebot Twitterbot/1.0', 'facebookexternalhit'],
    ['Googlebot-Image/1.0', 'Googlebot-Image'],
    [
      'Mozilla/5.0 (X11; Linux x86_64; compatible; GoogleAgent-Mariner; +https://developers.google.com/google-agent-mariner)',
      'GoogleAgent-Mariner',
    ],
    [
      'Mozilla/5.0 (compatible; Reader/1.0; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent)',
      undefined,
    ],
    ['Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)', 'YandexImages'],
    ['meta-externalfetcher/1.1', 'meta-externalfetcher'],
    ['Ai2Bot-Dolma (+https://www.allenai.org/crawler)', 'Ai2Bot'],
    ['ABCCBot/1.0', undefined],
  ])('%s', (userAgent, name) => {
    expect(nameOf(userAgent)).toBe(name)
  })
})

describe('other robots', () => {
  it('that the catalogue does not know are crawlers without a name, and so no visitors', () => {
    const others = [
      'curl/8.5.0',
      'python-requests/2.32',
      'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)',
    ]
    expect(others.map((userAgent) => [nameOf(userAgent), matcher.isCrawler(userAgent)])).toEqual(
      others.map(() => [undefined, true]),
    )
  })

  it('are crawlers when only the catalogue knows them', () => {
    expect(['Amzn-User', 'Shap-User'].map((name) => matcher.isCrawler(findBotByName(name)!.example!))).toEqual([
      true,
      true,
    ])
  })

  it('are not assumed where the log keeps no user agent', () => {
    expect(['', '-'].map((userAgent) => [nameOf(userAgent), matcher.isCrawler(userAgent)])).toEqual([
      [undefined, false],
      [undefined, false],
    ])
  })
})

describe('a hostile user agent', () => {
  const pieces = [
    'a',
    '(',
    '( ',
    '; ;',
    'sogou ',
    ' Googlebot',
    'xgptbot',
    'www.exabot',
    'compatible; ',
    'bo',
    '/1',
    '@a-',
    '\u0130',
  ]

  it('takes time in proportion to its length', () => {
    const started = performance.now()
    for (const piece of pieces) {
      const userAgent = piece.repeat(65_536)
      matcher.find(userAgent)
      matcher.isCrawler(userAgent)
    }
    // A quadratic expression takes minutes for these; the bound leaves room for a slow machine.
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('is matched however long it is', () => {
    expect(nameOf(`${'x '.repeat(40_000)}GPTBot/1.3`)).toBe('GPTBot')
  })
})
