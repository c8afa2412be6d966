import { afterAll, beforeAll, expect, test } from 'vitest'
import { missedDomain } from '../../../src/actions/rules/missed-domain.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const TEXTS = Array.from({ length: 7 }, (_, index) => `best ${index + 1}`)
const PROMPTS = Object.fromEntries(TEXTS.map((text) => [text, 'Discovery' as const]))

/** Three threads, each cited in a third of the answers; 12 answers to each of seven prompts cite the first two. */
const THREADS = TEXTS.flatMap((prompt) => [
  answers({
    prompt,
    count: 20,
    cited: { 'https://www.reddit.com/r/a/': 20, 'https://old.reddit.com/r/b/': 12, 'https://acme.com/': 3 },
  }),
  answers({ prompt, count: 20, cited: { 'https://old.reddit.com/r/b/': 20 } }),
  answers({ prompt, count: 24, cited: { 'https://www.reddit.com/r/c/': 15 } }),
])
/** As many answers to each prompt that cite one more thread. */
const oneMore = (count: number) =>
  TEXTS.map((prompt) => answers({ prompt, count, cited: { 'https://www.reddit.com/r/d/': count } }))

test('a third-party domain cited often with many pages, where the own site is not, makes a finding', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  await world.import(...THREADS, ...oneMore(10))
  expect(await world.find(missedDomain)).toEqual([
    {
      target: 'reddit.com',
      title: 'Be present on reddit.com',
      why: 'In the 28 days to 2026-11-15, pages of reddit.com were cited in 455 of 518 answers (84–91 %) to Discovery prompts, acme.com in 21 (2–7 %); it was cited more often than acme.com for 7 of these prompts, less often for 0. The one cited most, old.reddit.com/r/b, is in 224 of them.',
      detail: expect.stringContaining('Take part in the discussion at reddit.com') as string,
      targetPrompts: TEXTS.map((text) => world.prompt(text)),
      targetPlatforms: ['chatgpt'],
      targetUrl: 'https://old.reddit.com/r/b/',
      stake: { hits: 455, total: 518 },
    },
  ])
})

test('a domain with one page in half of its answers makes none', async () => {
  const world = worlds.create({ prompts: PROMPTS })
  await world.import(...THREADS, ...oneMore(9))
  expect((await world.find(missedDomain)).map(({ target }) => target)).toEqual([])
})
