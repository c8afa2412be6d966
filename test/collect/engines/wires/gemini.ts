import { type EngineReply, toChance } from '../answers.ts'
import { type Json, listOf, objectOf, readCase, textOf } from '../cases.ts'
import { headerOf, NOT_FOUND, type Wire } from '../wire.ts'
import { toInstance } from './openai.ts'

/** Gemini's `generateContent` with Google Search. */
export const gemini: Wire = {
  secretOf: (request) => headerOf(request, 'x-goog-api-key') ?? request.query.get('key') ?? undefined,
  read({ method, path, json }) {
    const model = /\/models\/([^/:]+):generateContent$/.exec(path)?.[1]
    if (method !== 'POST' || model === undefined) return NOT_FOUND
    const parts = listOf(listOf(objectOf(json)['contents']).at(-1)?.['parts'])
    const question = parts.map(({ text }) => textOf(text)).join('')
    const schema = objectOf(objectOf(objectOf(json)['generationConfig'])['responseJsonSchema'])
    return {
      kind: 'ask',
      question,
      model,
      respond: (reply) => ({ status: 200, json: toBody(reply, question, model, schema) }),
    }
  },
}

const REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/'

function toBody(reply: EngineReply, question: string, model: string, schema: Json): Json {
  const chance = toChance('gemini', model, question)
  const usage = { promptTokenCount: 10 + chance('in', 500), candidatesTokenCount: 20 + chance('out', 900) }
  const usageMetadata = { ...usage, totalTokenCount: usage.promptTokenCount + usage.candidatesTokenCount }
  if (reply.kind !== 'answer') {
    const frame = readCase('gemini', 'withheld-and-unfinished', reply.kind === 'none' ? chance('none', 2) : 2)
    return { ...frame, modelVersion: model, usageMetadata }
  }
  const frame = readCase('gemini', 'redirects-in-support-order')
  if ('properties' in schema) {
    const parts = [{ text: JSON.stringify(toInstance(schema, question)) }]
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }]
    return { ...frame, modelVersion: model, usageMetadata, candidates }
  }
  const groundingChunks = reply.links.map(({ host }, index) => ({
    web: { uri: `${REDIRECT}${chance(`uri ${index}`, 1e9)}`, title: host },
  }))
  const groundingSupports = reply.links.slice(0, -1).map((_, index) => ({
    segment: { startIndex: index, endIndex: index + 9, text: reply.sentences[index] },
    groundingChunkIndices: [index],
  }))
  const content = {
    role: 'model',
    parts: [{ text: 'I should search.', thought: true }, ...reply.sentences.map((text) => ({ text: `${text} ` }))],
  }
  const grounding = { webSearchQueries: reply.queries, groundingChunks, groundingSupports }
  return {
    ...frame,
    modelVersion: model,
    responseId: `r${chance('id', 1e9)}`,
    usageMetadata,
    candidates: [{ content, finishReason: 'STOP', index: 0, groundingMetadata: grounding }],
  }
}
