import { afterAll, beforeAll, expect, test } from 'vitest'
import { missedDomain } from '../../../src/actions/rules/missed-domain.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

/** Three threads, each cited in a third of the answers; 12 answers cite the first two. */
const THREADS = [
  answers({
    prompt: 'best',
    count: 20,
    cited: { 'https://www.reddit.com/r/a/': 20, 'https://old.reddit.com/r/b/': 12, 'https://acme.com/': 3 },
  }),
  answers({ prompt: 'best', count: 20, cited: { 'https://old.reddit.com/r/b/': 20 } }),
  answers({ prompt: 'best', count: 24, cited: { 'https://www.reddit.com/r/c/': 15 } }),
]

test('a third-party domain cited often with many pages, where the own site is not, makes a finding', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery' } })
  await world.import(...THREADS, answers({ prompt: 'best', count: 10, cited: { 'https://www.reddit.com/r/d/': 10 } }))
  expect(await world.find(missedDomain)).toEqual([
    {
      target: 'reddit.com',
      title: 'Be present on reddit.com',
      why: 'In the 28 days to 2026-11-15, pages of reddit.com were cited in 65 of 74 answers to Discovery prompts, acme.com in 3. The one cited most, old.reddit.com/r/b, is in 32 of them.',
      detail: expect.stringContaining('Take part in the discussion at reddit.com') as string,
      targetPrompts: [world.prompt('best')],
      targetPlatforms: ['chatgpt'],
      targetUrl: 'https://old.reddit.com/r/b/',
      stake: { hits: 65, total: 74 },
    },
  ])
})

test('a domain with one page in half of its answers makes none', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery' } })
  await world.import(...THREADS, answers({ prompt: 'best', count: 9, cited: { 'https://www.reddit.com/r/d/': 9 } }))
  expect((await world.find(missedDomain)).map(({ target }) => target)).toEqual([])
})
