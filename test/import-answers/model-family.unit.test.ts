import { describe, expect, test } from 'vitest'
import { engineOfModel, isGrok, providerOf } from '../../src/import-answers/adapters/model-family.ts'

describe('whose model a name shows', () => {
  test.each([
    ['chatgpt', ['gpt-5.5-2026-05-01', 'GPT-4o', 'gpt-35-turbo', 'chatgpt-4o-latest', 'o1', 'o3-mini', 'o9-x']],
    ['chatgpt', ['openai/gpt-5.5', 'openai/o4-mini', 'openai.gpt-5.5', 'openai/codex', 'computer-use-preview']],
    ['claude', ['claude-sonnet-5', 'anthropic/claude-opus-5', 'us.anthropic.claude-sonnet-5-v1:0', 'claude-opus@1']],
    ['gemini', ['gemini-3-pro', 'google/gemini-2.5-flash', 'models/gemini-pro']],
    [
      'perplexity',
      ['sonar', 'sonar-deep-research', 'perplexity/sonar', 'llama-3.1-sonar-small-128k-online', 'r1-1776'],
    ],
    [
      undefined,
      [
        'magistral-small',
        'codestral-2508',
        'pixtral-12b',
        'voxtral-mini',
        'mistral-large',
        'zai-glm-4.6',
        'palmyra-x5',
        'granite-4.0-h-small',
        'gpt-oss-120b',
        'openai/gpt-oss-20b',
        'openai.gpt-oss-120b-1:0',
        'gpt-neo-2.7B',
        'gpt-j-6b',
        'o10',
        'o1ive',
        'gpt4all',
        'crm-deployment-eu',
        'ft:gpt-4o:acme::1',
        'gemma-3-27b',
        'deepseek-chat',
        'kimi-k2',
        'MiniMax-M2',
        'grok-4',
        'x-ai/grok-4',
        'qwen/qwen3',
        'meta-llama/llama-4',
      ],
    ],
  ])('%s: %j', (engine, models) => {
    expect(models.filter((model) => engineOfModel(model) !== engine)).toEqual([])
  })

  test('Grok is known by its names', () => {
    expect(['grok-4', 'x-ai/grok-4', 'xai/grok-4', 'groq-1'].map((model) => isGrok(model))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  test('a provider is the one that the payload names, else the vendor of the model, else nobody', () => {
    const models = [
      'gpt-5.5',
      'claude-sonnet-5',
      'google/gemini-3',
      'sonar',
      'grok-4',
      'gpt-oss-120b',
      'magistral-small',
    ]
    expect(models.map((model) => providerOf({ model }))).toEqual([
      'openai',
      'anthropic',
      'google',
      'perplexity',
      'xai',
      undefined,
      undefined,
    ])
    expect(providerOf({ model: 'openai/gpt-oss-120b', provider: 'Groq' })).toBe('Groq')
    expect(providerOf({})).toBeUndefined()
  })
})
