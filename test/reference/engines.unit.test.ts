import { expect, it } from 'vitest'
import { ENGINE_IDS } from '../../src/domain/enums.ts'
import { engineNo, getEngineId, listEngines } from '../../src/reference/engines.ts'

it('lists the seven engines in the order of the API, with display names', () => {
  expect(listEngines()).toEqual([
    { id: 'ai_overviews', name: 'Google AI Overviews' },
    { id: 'ai_mode', name: 'Google AI Mode' },
    { id: 'chatgpt', name: 'ChatGPT' },
    { id: 'perplexity', name: 'Perplexity' },
    { id: 'gemini', name: 'Gemini' },
    { id: 'copilot', name: 'Microsoft Copilot' },
    { id: 'claude', name: 'Claude' },
  ])
  expect(listEngines().map(({ id }) => id)).toEqual([...ENGINE_IDS])
})

it('numbers the engines from 1 in that order, and back', () => {
  expect(ENGINE_IDS.map(engineNo)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect([1, 2, 3, 4, 5, 6, 7].map(getEngineId)).toEqual([...ENGINE_IDS])
  for (const no of [0, 8, -1, 1.5]) expect(() => getEngineId(no)).toThrow(`no engine has the number ${no}`)
})
