import { defineCommand } from './command.ts'

export const openapi = defineCommand({
  summary: 'Print the OpenAPI document without a server',
  args: { json: { type: 'boolean', description: 'accepted like everywhere; the document is JSON anyway' } },
  examples: ['openapi > openapi.json'],
  async run({ io }) {
    const [{ createDocument }, { ENDPOINTS }] = await Promise.all([
      import('../src/http/openapi/document.ts'),
      import('../src/http/endpoints/index.ts'),
    ])
    io.stdout.write(`${JSON.stringify(createDocument(ENDPOINTS), undefined, 2)}\n`)
  },
})
