import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { describeInBrowser, settle } from './support/browser.ts'
import { openShownDemo, type ShownDemo } from './support/shown-demo.ts'

const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const RUN = 'window.hacked=1'
const BIDI = '\u202E\u2066\u200F\u200B'

/** What somebody who writes pages for engines to quote could make an answer say. */
const TEXTS: Readonly<Record<string, string>> = {
  html: `Fernwick <img src=x onerror="${RUN}"><script>${RUN}</script><svg onload="${RUN}"><iframe srcdoc="<script>parent.${RUN}</script>"></iframe><style>*{display:none}</style><a href="javascript:${RUN}" onclick="${RUN}">go</a><form action="https://evil.example"><button>ok</button></form>`,
  links: `[run](javascript:${RUN}) [run](JaVaScRiPt:${RUN}) [run](java\tscript:${RUN}) [data](data:text/html,<script>${RUN}</script>) [vb](vbscript:${RUN}) [file](file:///etc/passwd) <javascript:${RUN}> [own](/settings/access) [rel](//evil.example/x) ![picture](https://evil.example/x.png) [https://fernwick.example](https://evil.example/login) [ref]: javascript:${RUN}`,
  entities: `&lt;script&gt;${RUN}&lt;/script&gt; [run](&#106;avascript&#58;${RUN}) [run](javascript&colon;${RUN}) [run](\u0001javascript:${RUN})`,
  directions: `Fernwick ${BIDI}gnihtemos${BIDI} [txt.exe](https://evil.example/${BIDI}moc.elpmaxe)`,
  long: 'Fernwick is a word among many. '.repeat(6_600),
  'one word': 'F'.repeat(200_000),
  nul: 'Fernwick\u0000<b>\u0000 and \uFFFE\uFFFF \u{1F469}\u200D\u{1F469}',
  brackets: `${'['.repeat(30_000)}${'](x)'.repeat(30_000)}`,
  stars: `${'**_'.repeat(20_000)}Fernwick${'_**'.repeat(20_000)}`,
  ticks: Array.from({ length: 600 }, (_, length) => '`'.repeat(length % 300)).join('a '),
  quotes: `${'> '.repeat(20_000)}Fernwick`,
  lists: Array.from({ length: 2_000 }, (_, depth) => `${'  '.repeat(depth % 200)}- Fernwick`).join('\n'),
  table: `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${`|${'b|'.repeat(20)}\n`.repeat(1_000)}`,
  'open code': `\`\`\`html\n<script>${RUN}</script>\n${'x'.repeat(50_000)}`,
}

describeInBrowser('hostile answers', () => {
  let demo: ShownDemo
  beforeAll(async () => {
    demo = await openShownDemo()
    const prompts = Object.keys(TEXTS).map((name, index) => ({
      id: `hostile-${index}`,
      text: `${name} <script>${RUN}</script> ${BIDI} ${'long'.repeat(200)}`.slice(0, 500),
      category: 'Discovery' as const,
      market: null,
    }))
    demo.app.catalog.prompts.add(demo.siteId, prompts, { existing: 'keep' })
    const lines = Object.values(TEXTS).map((text, index) =>
      JSON.stringify({
        date: '2026-11-15',
        platform: 'chatgpt',
        prompt_id: `hostile-${index}`,
        text,
        model: `<img src=x onerror=${RUN}>`,
        provider: BIDI,
        search_queries: [`<script>${RUN}</script>`],
        citations: [
          { url: `javascript:${RUN}`, title: 'run' },
          { url: `https://evil.example/"><script>${RUN}</script>`, title: `<img src=x onerror=${RUN}>${BIDI}` },
        ],
      }),
    )
    const file = join(demo.dataDir, 'hostile.ndjson')
    writeFileSync(file, lines.join('\n'))
    const result = await importAnswers(demo.app.change, {
      site: demo.app.catalog.sites.get('fernwick.example'),
      files: [file],
      format: 'native',
      defaults: {},
      createPrompts: false,
      dryRun: false,
      strict: false,
      discoverMin: 0,
      signal: new AbortController().signal,
    })
    expect(result.imported).toBe(lines.length)
  })
  afterAll(() => demo?.close())

  test.each(Object.keys(TEXTS).map((name, index) => [name, index] as const))('%s', async (_name, index) => {
    await using visit = await demo.visit({ nowMs: NOW })
    const { page } = visit
    const opened: string[] = []
    page.on('dialog', (dialog) => opened.push(dialog.message()))
    page.context().on('page', (other) => opened.push(other.url()))
    const path = `/sites/fernwick.example/answers?prompt=hostile-${index}`
    await page.goto(path)
    await settle(page)
    await page.click('.answer-list a')
    await settle(page)
    await page.locator('.answer-text').waitFor()
    const started = performance.now()
    const look = await page.evaluate<{
      hacked: unknown
      strange: string[]
      links: string[]
      wider: number
      text: number
    }>(`(() => {
      const text = document.querySelector('.answer-text')
      const links = [...document.querySelectorAll('main article a, .answer-text a')].filter((link) => link.origin !== location.origin)
      return {
        hacked: window.hacked,
        strange: [...text.querySelectorAll('img, script, iframe, svg, style, form, object, embed, video, [onclick], [onerror], [style]')].map((one) => one.outerHTML.slice(0, 100)),
        links: [...text.querySelectorAll('a')].map((link) => link.protocol + ' ' + link.rel),
        wider: document.documentElement.scrollWidth - innerWidth,
        text: text.textContent.length,
      }
    })()`)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(look.hacked).toBeUndefined()
    expect(look.strange).toEqual([])
    expect(new Set(look.links.map((link) => link.replace(/^https?: /, '')))).toEqual(
      new Set(look.links.length === 0 ? [] : ['noopener noreferrer nofollow']),
    )
    expect(look.wider).toBeLessThanOrEqual(0)
    expect(look.text).toBeGreaterThan(0)
    // The reader goes on: the keyboard answers, and the page is the one that was opened.
    await page.keyboard.press('k')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sites/fernwick.example/answers')
    expect(opened).toEqual([])
  })

  test.each(['overview', 'visibility', 'prompts', 'sources', 'competitors', 'actions'])('in %s', async (view) => {
    await using visit = await demo.visit({ nowMs: NOW })
    await visit.page.goto(`/sites/fernwick.example/${view}?from=2026-11-15&to=2026-11-15`)
    await settle(visit.page)
    expect(await visit.page.evaluate('window.hacked')).toBeUndefined()
    expect(await visit.page.locator('main script, main img, main iframe').count()).toBe(0)
    expect(await visit.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
      0,
    )
  })
})
