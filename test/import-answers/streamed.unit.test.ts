import { describe, expect, test } from 'vitest'
import type { AnswerRecord } from '../../src/domain/answer.ts'
import { readDocuments } from '../../src/import-answers/documents.ts'
import { readRecords } from '../../src/import-answers/envelope.ts'

const DEFAULTS = { date: '2026-09-01', promptId: 'prm_1' }

interface Read extends Partial<AnswerRecord> {
  readonly reason?: string
  readonly line: number
}

/** The records of a file whose bytes arrive in pieces of `size`. */
async function read(text: string, size = 1_000_000): Promise<Read[]> {
  const bytes = Buffer.from(text)
  async function* content(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const records: Read[] = []
  for await (const documents of readDocuments(content())) {
    for (const document of documents) {
      if ('reason' in document) records.push({ reason: document.reason, line: document.line })
      else {
        const { line } = document
        const read = readRecords(document.json, { format: 'auto', defaults: DEFAULTS })
        records.push(...read.map((record) => ({ ...record, line })))
      }
    }
  }
  return records
}

function chunk(text: string, more: object = {}): object {
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }],
    modelVersion: 'gemini-3',
    ...more,
  }
}

function last(text: string, more: object = {}): object {
  const grounding = {
    groundingChunks: [{ web: { uri: 'https://acme.example/', title: 'Acme' } }],
    groundingSupports: [{ groundingChunkIndices: [0] }],
    webSearchQueries: ['crm'],
  }
  const candidate = { content: { parts: [{ text }] }, finishReason: 'STOP', groundingMetadata: grounding }
  return { candidates: [candidate], modelVersion: 'gemini-3', usageMetadata: { totalTokenCount: 9 }, ...more }
}

const STREAM = [chunk('Acme '), chunk('leads, '), last('Bolt follows.')]
const WHOLE = {
  text: 'Acme leads, Bolt follows.',
  platform: 'gemini',
  model: 'gemini-3',
  citations: [{ url: 'https://acme.example/', title: 'Acme' }],
  search_queries: ['crm'],
}

describe('the array that streamGenerateContent returns', () => {
  const forms: [string, string][] = [
    ['on one line', JSON.stringify(STREAM)],
    ['over many lines', JSON.stringify(STREAM, null, 2)],
    ['as Google writes it', `[${STREAM.map((each) => JSON.stringify(each, null, 2)).join('\n,\r\n')}\n]\n`],
    ['inside an array', JSON.stringify([STREAM])],
    ['in an envelope', JSON.stringify({ prompt: 'crm', response: STREAM })],
  ]
  test.each(forms)('%s is one answer, however its bytes arrive', async (_, text) => {
    for (const size of [1_000_000, 7]) {
      expect(await read(text, size)).toEqual([expect.objectContaining(WHOLE)])
    }
  })

  test('two of them, also a line each and among other records, are two answers', async () => {
    const native = { date: '2026-09-01', platform: 'claude', prompt: 'crm', text: 'Acme.' }
    const text = [STREAM, native, STREAM].map((each) => JSON.stringify(each)).join('\n')
    expect(await read(text)).toMatchObject([WHOLE, { text: 'Acme.', line: 2 }, { ...WHOLE, line: 3 }])
    expect(await read(JSON.stringify([...STREAM, ...STREAM]))).toMatchObject([WHOLE, WHOLE])
  })

  test('may end in a chunk of figures, and tells answers apart by their response ids', async () => {
    const tail = { usageMetadata: { totalTokenCount: 9 }, modelVersion: 'gemini-3' }
    expect(await read(JSON.stringify([...STREAM, tail, ...STREAM]))).toMatchObject([WHOLE, WHOLE])
    const cut = [
      chunk('Acme ', { responseId: 'r1' }),
      chunk('and ', { responseId: 'r1' }),
      last('Bolt.', { responseId: 'r2' }),
    ]
    expect(await read(JSON.stringify(cut))).toMatchObject([
      { reason: 'a stream of 2 chunks of one answer has no end: wanted a last chunk with finishReason' },
      { text: 'Bolt.' },
    ])
  })

  test('whole responses in an array stay answers of their own', async () => {
    expect(await read(JSON.stringify([last('Acme.'), last('Bolt.'), chunk('Crux.')]))).toMatchObject([
      { text: 'Acme.' },
      { text: 'Bolt.' },
      { text: 'Crux.' },
    ])
    expect(await read([chunk('Acme.'), chunk('Bolt.')].map((each) => JSON.stringify(each)).join('\n'))).toMatchObject([
      { text: 'Acme.' },
      { text: 'Bolt.' },
    ])
  })

  test('as it was until 2024, with STOP in every chunk, is one answer; whole responses of that time are several', async () => {
    function stop(text: string, more: object = {}): object {
      return { candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP', index: 0 }], ...more }
    }
    const promptFeedback = { safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }] }
    const stream = [stop('Acme ', { promptFeedback }), stop('leads, '), stop('Bolt follows.')]
    expect(await read(JSON.stringify([...stream, ...stream]))).toMatchObject([
      { text: WHOLE.text },
      { text: WHOLE.text },
    ])
    expect(await read(JSON.stringify([stop('A', { promptFeedback }), stop('B', { promptFeedback })]))).toMatchObject([
      { text: 'A' },
      { text: 'B' },
    ])
    expect(await read(JSON.stringify([stop('A'), stop('B')]))).toMatchObject([{ text: 'A' }, { text: 'B' }])
    expect(await read(stream.map((each) => JSON.stringify(each)).join('\n'))).toHaveLength(3)
  })

  test('a chunk a line is one answer when the lines share a response id', async () => {
    const lines = [
      chunk('Acme ', { responseId: 'r1' }),
      last('leads.', { responseId: 'r1' }),
      last('Bolt.', { responseId: 'r2' }),
    ]
    expect(await read(lines.map((each) => JSON.stringify(each)).join('\n'))).toMatchObject([
      { text: 'Acme leads.', line: 1 },
      { text: 'Bolt.', line: 3 },
    ])
  })

  test('without an end, cut off, broken or ended by an error it is one rejection', async () => {
    const error = { error: { code: 503, message: 'The model is overloaded.' } }
    expect(await read(JSON.stringify(STREAM.slice(0, 2)))).toMatchObject([
      { reason: expect.stringMatching('no end') as unknown },
    ])
    expect(await read(JSON.stringify([...STREAM.slice(0, 1), error]))).toMatchObject([
      { reason: 'a stream of 2 chunks of one answer is broken: it ends in an error, The model is overloaded.' },
    ])
    expect(
      await read(`[${JSON.stringify(STREAM[0])},{"candidates":[oops]},${JSON.stringify(STREAM[2])}]`),
    ).toMatchObject([
      { reason: expect.stringMatching(/^a stream of 3 chunks of one answer is broken: not valid JSON/) as unknown },
    ])
    for (const cut of [JSON.stringify(STREAM).slice(0, -40), `[${JSON.stringify(STREAM[0])}`]) {
      const records = await read(cut)
      expect(records.map(({ reason }) => reason)).toEqual([expect.stringMatching('is broken: not valid JSON')])
    }
  })

  test('of a prompt that Google blocks on the way is no answer', async () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, modelVersion: 'gemini-3' }
    expect(await read(JSON.stringify([chunk('Acme '), blocked]))).toMatchObject([{ text: null, platform: 'gemini' }])
  })

  test('of several candidates is the first one', async () => {
    const other = { candidates: [{ content: { parts: [{ text: 'Other.' }] }, index: 1 }] }
    expect(await read(JSON.stringify([STREAM[0], other, ...STREAM.slice(1)]))).toMatchObject([WHOLE])
  })

  test('of over 16 MiB is rejected and not held', async () => {
    const long = Array.from({ length: 20 }, () => chunk('a'.repeat(1_000_000)))
    expect(await read(JSON.stringify([...long, last('b')]))).toMatchObject([{ reason: 'longer than 16 MiB', line: 1 }])
  })
})

describe('events of other streams', () => {
  const events = [
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', delta: 'Acme' },
  ]
  const completed = {
    type: 'response.completed',
    response: {
      id: 'resp_1',
      status: 'completed',
      model: 'gpt-5.5',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Acme.', annotations: [] }] }],
    },
  }

  test('that end in the whole response are that response', async () => {
    const all = [...events, completed]
    const expected = [{ text: 'Acme.', platform: 'chatgpt', line: 1 }]
    expect(await read(JSON.stringify(all))).toMatchObject(expected)
    expect(await read(all.map((each) => JSON.stringify(each)).join('\n'))).toMatchObject(expected)
    expect(await read(JSON.stringify([...all, ...events]))).toMatchObject([
      ...expected,
      { reason: '2 events of a streamed answer; wanted the whole response' },
    ])
  })

  test.each([
    [events],
    [
      [
        { object: 'chat.completion.chunk', choices: [{ delta: { content: 'Ac' } }] },
        { object: 'chat.completion.chunk' },
      ],
    ],
    [[{ type: 'message_start', message: { role: 'assistant', content: [] } }, { type: 'ping' }]],
    [
      [
        { event_type: 'interaction.start', interaction: {} },
        { event_type: 'content.delta', delta: { text: 'Ac' } },
      ],
    ],
  ])('that hold no whole response are one rejection', async (parts) => {
    const reason = '2 events of a streamed answer; wanted the whole response'
    expect(await read(JSON.stringify(parts))).toEqual([{ reason, line: 1 }])
    expect(await read(parts.map((each) => JSON.stringify(each)).join('\n'))).toEqual([{ reason, line: 1 }])
  })
})

test('an event stream is one rejection with one sentence', async () => {
  const stream =
    ': hi\n\nevent: message_start\ndata: {"type":"message_start"}\r\n\r\nid: 5\nretry: 10\ndata: [DONE]\n\n'
  const native = '{"date":"2026-09-01","platform":"claude","prompt":"crm","text":"Acme."}\n'
  const reason =
    'an event stream of 6 lines ("event:", "data:"), not a response; save the response of a request that doesn\'t stream'
  expect(await read(stream)).toEqual([{ reason, line: 1 }])
  expect(await read(stream, 5)).toEqual([{ reason, line: 1 }])
  expect(await read(native + stream + native)).toMatchObject([
    { text: 'Acme.' },
    { reason, line: 2 },
    { text: 'Acme.' },
  ])
})
