import { expect, it, test } from 'vitest'
import { JUDGE_PROVIDERS } from '../../../src/collect/judge/bodies.ts'
import { judgeAnswers } from '../../../src/collect/judge/judge-answers.ts'
import { type JudgeChoice, resolveJudge } from '../../../src/collect/judge/judge.ts'
import { getProvider } from '../../../src/collect/providers/index.ts'
import { parseScanConfig } from '../../../src/collect/scan-config.ts'
import { readSecrets } from '../../../src/collect/secrets.ts'
import { toPace } from '../../../src/collect/targets.ts'
import { readReports } from '../../maintenance/support/lake.ts'
import { answerTo } from '../engines/answers.ts'
import { secretEnvironment } from '../engines/secrets.ts'
import { Engines } from '../engines/server.ts'
import { makeOpinions, openJudgeWorld } from './support/judge-world.ts'

test.each(JUDGE_PROVIDERS)(
  'judges by %s, in its own format, and settles what the reply says that it cost',
  async (id) => {
    const { lake, context, request } = await openJudgeWorld()
    await using engines = await Engines.start()
    await lake.answers(makeOpinions(9))
    const config = parseScanConfig(
      { providers: { [id]: { base_url: `${engines.url}/${id}`, concurrency: 4 } } },
      'scan.json',
    )
    const judge = resolveJudge(config, id === 'custom' ? { provider: id, model: 'tiny' } : { provider: id })
    const secrets = await readSecrets(secretEnvironment())
    const toOwnPace = () => toPace(config, getProvider(id))
    const result = await judgeAnswers({ ...context, secrets, toPace: toOwnPace }, { ...request, judge })
    const asked = engines.ledger.entries
    // The engines refuse now and then, which a model may do too.
    const refused = asked.filter(({ question }) => answerTo(id, question).kind === 'none').length
    expect(result).toMatchObject({ calls: 9, answered: 9 - refused, failed: refused, uncertain: 0 })
    expect(refused).toBeLessThan(5)
    expect(result.costMicros).toBeGreaterThan(0)
    expect(asked.filter(({ bought }) => bought)).toHaveLength(9)
    const { answers = [] } = await readReports(lake.app)
    expect((answers as { sentiment: unknown }[]).filter(({ sentiment }) => sentiment === null)).toHaveLength(refused)
  },
)

it.each<[string, object, JudgeChoice, string]>([
  ['nobody', {}, {}, 'No judge is configured'],
  ['a service without models', { judge: { provider: 'serpapi' } }, {}, 'serpapi has no models that judge'],
  ['a gateway without an address', {}, { provider: 'custom', model: 'tiny' }, 'needs an address'],
  [
    'a gateway without a model',
    { providers: { custom: { base_url: 'http://127.0.0.1:1' } } },
    { provider: 'custom' },
    'Which model',
  ],
])('refuses %s', (_, content, choice, message) => {
  expect(() => resolveJudge(parseScanConfig(content, 'scan.json'), choice)).toThrow(message)
})

it('takes the judge of scan.json, and its model only for its provider', () => {
  const config = parseScanConfig({ judge: { provider: 'openai', model: 'gpt-5.4-mini' } }, 'scan.json')
  expect(resolveJudge(config, {})).toMatchObject({
    id: 'openai',
    model: 'gpt-5.4-mini',
    baseUrl: 'https://api.openai.com/v1',
    target: 'judge.openai.gpt-5.4-mini.1',
  })
  expect(resolveJudge(config, { model: 'gpt-5.5' })).toMatchObject({ id: 'openai', model: 'gpt-5.5' })
  expect(resolveJudge(config, { provider: 'anthropic' })).toMatchObject({ id: 'anthropic', model: 'claude-sonnet-5' })
  const long = resolveJudge(config, { model: `vendor/${'m'.repeat(190)}` })
  expect(long.target).toMatch(/^judge\.openai\.[0-9a-f]{16}\.1$/)
})
