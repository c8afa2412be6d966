import { listEngines } from '../../reference/engines.ts'
import { defineEndpoint } from '../endpoint.ts'
import { Engine, list } from '../schemas/resources.ts'

export const listPlatforms = defineEndpoint({
  operation: 'listPlatforms',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/platforms',
  access: 'read',
  summary: 'Answer engines',
  description:
    'What reports and answers call platforms, in the order by which rows are sorted. `available` is false for an engine that the operator switched off; answers that were collected from it stay.',
  response: list(Engine),
  rows: { row: Engine, fileName: () => 'platforms' },
  example: {
    response: {
      data: [
        { id: 'ai_overviews', name: 'Google AI Overviews', available: true },
        { id: 'chatgpt', name: 'ChatGPT', available: true },
      ],
    },
  },
  handle: ({ app: { config } }) => ({
    data: listEngines().map(({ id, name }) => ({ id, name, available: !config.enginesOff.includes(id) })),
  }),
})
