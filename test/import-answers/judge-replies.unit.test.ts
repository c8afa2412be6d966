import { expect, it, test } from 'vitest'
import { parseJudgement } from '../../src/import-answers/judge-replies/judgement.ts'
import { toSentimentRecord } from '../../src/import-answers/judge-replies/sentiment-record.ts'
import { readWrittenText } from '../../src/import-answers/judge-replies/written-text.ts'

const JUDGEMENT = { evidence: 'Acme leads', sentiment: 'positive' }
const TEXT = JSON.stringify(JUDGEMENT)

const response = (content: object, rest: object = {}) => ({
  id: 'resp_1',
  status: 'completed',
  model: 'gpt-5.5-mini-2026-08-01',
  output: [
    { type: 'reasoning', summary: [] },
    { type: 'message', content: [content] },
  ],
  ...rest,
})
const completion = (message: object, finish_reason = 'stop') => ({
  model: 'llama',
  choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
})
const message = (stop_reason: string) => ({
  type: 'message',
  model: 'claude-haiku-4-5',
  stop_reason,
  content: [{ type: 'text', text: TEXT }],
})
const content = (finishReason: string) => ({
  modelVersion: 'gemini-3.5-flash',
  candidates: [{ finishReason, content: { parts: [{ thought: true, text: 'Hm.' }, { text: TEXT }] } }],
})

test.each<[string, unknown, string]>([
  ["OpenAI's response", response({ type: 'output_text', text: TEXT }), 'gpt-5.5-mini-2026-08-01'],
  ['a chat completion', completion({ content: TEXT }), 'llama'],
  ['thoughts before the JSON', completion({ content: `<think>\nIs it {"sentiment"}?\n</think>\n\n${TEXT}` }), 'llama'],
  ["Anthropic's message", message('end_turn'), 'claude-haiku-4-5'],
  ["Gemini's content, without its thoughts", content('STOP'), 'gemini-3.5-flash'],
])('reads %s', (_, reply, model) => {
  const written = readWrittenText(reply)
  expect(written).toMatchObject({ model })
  expect('text' in written && parseJudgement(written.text)).toEqual(JUDGEMENT)
})

test.each<[string, unknown, string]>([
  ['a list', [], 'is no object'],
  ['an object of no format', { text: TEXT }, 'none of the formats'],
  ['an error', { error: { message: 'no' } }, 'none of the formats'],
  [
    'a response that was cut off',
    response(
      { type: 'output_text', text: TEXT },
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    ),
    'not complete: max_output_tokens',
  ],
  ["OpenAI's refusal", response({ type: 'refusal', refusal: 'No.' }), 'refused'],
  ['a completion that was cut off', completion({ content: TEXT }, 'length'), 'not complete: length'],
  ["a completion's refusal", completion({ content: null, refusal: 'No.' }), 'refused'],
  ['a completion without a choice', { choices: [] }, 'not complete'],
  ['a message that was cut off', message('max_tokens'), 'not complete: max_tokens'],
  ["Anthropic's refusal", message('refusal'), 'refused'],
  ['content that was cut off', content('MAX_TOKENS'), 'not complete: MAX_TOKENS'],
  ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'not complete: SAFETY'],
])('takes %s for no judgement', (_, reply, reason) => {
  expect(readWrittenText(reply)).toEqual({ reason: expect.stringContaining(reason) as string })
})

test.each([
  '',
  'positive',
  '"positive"',
  '["positive"]',
  'null',
  '{}',
  '{"sentiment":"positive"}',
  '{"evidence":"","sentiment":"Positive"}',
  '{"evidence":"","sentiment":"very positive"}',
  '{"evidence":"","sentiment":null}',
  '{"evidence":1,"sentiment":"positive"}',
  '{"evidence":"","sentiment":"positive","score":1}',
  '{"evidence":"","sentiment":["positive"]}',
  `\`\`\`json\n${TEXT}\n\`\`\``,
  `Here it is: ${TEXT}`,
  `${TEXT}${TEXT}`,
  `{"evidence":"${'x'.repeat(2_001)}","sentiment":"positive"}`,
])('guesses nothing from %s', (text) => {
  expect(parseJudgement(text)).toEqual({ reason: expect.stringMatching(/^the judge's reply /) as string })
})

const judge = { provider: 'openai', model: 'gpt-5.5-mini', prompt_version: 1 }

it('names the judge by provider, the model that the reply names, and version of the prompt', () => {
  const reply = response({ type: 'output_text', text: TEXT })
  expect(toSentimentRecord({ id: 'a1', judge, response: reply, request: {} })).toEqual({
    id: 'a1',
    sentiment: 'positive',
    judge: 'openai:gpt-5.5-mini-2026-08-01@1',
  })
  const unnamed = { ...reply, model: undefined }
  expect(toSentimentRecord({ id: 'a1', judge, response: unnamed })).toMatchObject({ judge: 'openai:gpt-5.5-mini@1' })
  const long = toSentimentRecord({ id: 'a1', judge, response: { ...reply, model: 'm'.repeat(1_000) } })
  expect('judge' in long && long.judge).toMatch(/^openai:m{247}@1$/)
})

it('takes a judge that a record names, and refuses what is no name', () => {
  expect(toSentimentRecord({ id: 'a1', sentiment: null, judge: 'Anna' })).toEqual({
    id: 'a1',
    sentiment: null,
    judge: 'Anna',
  })
  expect(toSentimentRecord({ id: 'a1', sentiment: 'neutral', judge: null })).toEqual({ id: 'a1', sentiment: 'neutral' })
  for (const wrong of ['', ' ', 'x'.repeat(257), 7, true, ['Anna']]) {
    expect(toSentimentRecord({ id: 'a1', sentiment: 'neutral', judge: wrong })).toEqual({
      reason: 'judge: must be a text of 1 to 256 characters',
    })
  }
  expect(toSentimentRecord({ id: 'a1', judge: {}, response: {} })).toEqual({
    reason: 'judge: must be a text, or an object with provider, model and prompt_version',
  })
})
