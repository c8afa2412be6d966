import * as v from 'valibot'
import { defineEndpoint } from '../endpoint.ts'

export const getOpenApi = defineEndpoint({
  operation: 'getOpenApi',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/openapi.json',
  access: 'public',
  summary: 'This description of the API',
  description: 'The OpenAPI 3.1 document, made from the same schemas that validate requests.',
  response: v.object({
    openapi: v.string(),
    info: v.object({ title: v.string(), version: v.string() }),
    paths: v.record(v.string(), v.unknown()),
  }),
  example: { response: { openapi: '3.1.0', info: { title: 'answerlake', version: '1.0.0' }, paths: {} } },
  handle: ({ getDocument }) => getDocument(),
})
