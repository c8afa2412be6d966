import { afterAll, beforeAll, expect, test } from 'vitest'
import { crawlerErrors } from '../../../src/actions/rules/crawler-errors.ts'
import { hits, type HitGroup } from '../support/access-log.ts'
import { type ActionWorlds, answers, openActionWorlds } from '../support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

/** Over the 28 days to 2026-11-14, a day before the newest answer. */
const ofLog = (group: Omit<HitGroup, 'firstDay' | 'days'>) => hits({ ...group, firstDay: '2026-10-18', days: 28 })

test('a page on which crawlers meet many errors makes a finding', async () => {
  const world = worlds.create({ prompts: { how: 'How-to', best: 'Discovery' } })
  await world.import(
    answers({ prompt: 'how', platform: 'claude', count: 30, cited: { 'https://docs.acme.com/docs/api?v=2': 3 } }),
    answers({ prompt: 'best', platform: 'chatgpt', count: 30, cited: { 'https://www.acme.com/': 3 } }),
  )
  await world.importLog(
    ofLog({ bot: 'GPTBot', path: '/docs/api', hits: 30, errors: 25 }),
    ofLog({ bot: 'ClaudeBot', path: '/docs/api?x=1', hits: 10, errors: 5 }),
    ofLog({ bot: 'Googlebot', path: '/', hits: 60, errors: 2 }),
    ofLog({ bot: 'bingbot', path: '/pricing', hits: 40, errors: 3 }),
  )
  expect(await world.find(crawlerErrors)).toEqual([
    {
      target: '/docs/api',
      title: 'Repair /docs/api for AI crawlers',
      why: "In the 28 days to 2026-11-14, 30 of 40 hits of crawlers on this page ended in an error; on the site's other pages it was 5 of 100 hits. Stopped most often: GPTBot and ClaudeBot.",
      detail: expect.stringContaining('Restore the page, redirect it') as string,
      targetPrompts: [world.prompt('how')],
      targetPlatforms: ['claude'],
      targetUrl: 'https://docs.acme.com/docs/api?v=2',
      stake: { hits: 30, total: 140 },
    },
  ])
})

test('a page that no answer cites is measured on the engines whose crawlers were stopped', async () => {
  const world = worlds.create({ prompts: { how: 'How-to', best: 'Discovery' } })
  await world.import(
    answers({ prompt: 'how', platform: 'claude', count: 30 }),
    answers({ prompt: 'best', platform: 'chatgpt', count: 31 }),
    answers({ prompt: 'how', platform: 'gemini', count: 30 }),
  )
  await world.importLog(
    ofLog({ bot: 'ChatGPT-User', path: '/docs/api', hits: 40, errors: 40 }),
    ofLog({ bot: 'ClaudeBot', path: '/docs/api', hits: 40 }),
    ofLog({ bot: 'Googlebot', path: '/', hits: 60 }),
  )
  expect(await world.find(crawlerErrors)).toMatchObject([
    {
      target: '/docs/api',
      targetPrompts: [world.prompt('best')],
      targetPlatforms: ['chatgpt'],
      targetUrl: 'https://acme.com/docs/api',
    },
  ])
})

test('pages close by make none', async () => {
  const world = worlds.create({ prompts: { best: 'Discovery' } })
  await world.import(answers({ prompt: 'best', count: 40 }))
  await world.importLog(
    // Not many.
    ofLog({ bot: 'Googlebot', path: '/seldom', hits: 1_000, errors: 249 }),
    // Could be chance.
    ofLog({ bot: 'Googlebot', path: '/unlucky', hits: 30, errors: 9 }),
    ofLog({ bot: 'Googlebot', path: '/few', hits: 29, errors: 29 }),
    // A file for machines.
    ofLog({ bot: 'Googlebot', path: '/llms.txt', hits: 40, errors: 40 }),
    // Of the days before.
    hits({ bot: 'Googlebot', path: '/repaired', hits: 40, errors: 40, firstDay: '2026-10-10', days: 5 }),
    ofLog({ bot: 'Googlebot', path: '/', hits: 500, errors: 50 }),
  )
  expect(await world.find(crawlerErrors)).toEqual([])
})

test('a site on which every page fails has no page to single out, one without a log none at all', async () => {
  const failing = worlds.create({ prompts: { best: 'Discovery' } })
  await failing.import(answers({ prompt: 'best', count: 40 }))
  await failing.importLog(
    ofLog({ bot: 'Googlebot', path: '/', hits: 60, errors: 60 }),
    ofLog({ bot: 'Googlebot', path: '/pricing', hits: 60, errors: 60 }),
  )
  expect(await failing.find(crawlerErrors)).toEqual([])
  const silent = worlds.create({ prompts: { best: 'Discovery' } })
  await silent.import(answers({ prompt: 'best', count: 40 }))
  expect(await silent.find(crawlerErrors)).toEqual([])
})
