import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './openapi.d.ts'

/** Every shape that the OpenAPI document names: `Schemas['Prompt']`, `Schemas['VisibilityRow']`. */
export type Schemas = components['schemas']

export interface ClientOptions {
  /** Where the service listens, without `/v1`: `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** `alk_…`; it is sent in the header `X-API-Key`. Never use one in a browser. */
  readonly apiKey: string
  /** Replaces the runtime's own `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * A typed client of the API: `await client.POST('/v1/reports/visibility', { body: { … } })` gives `{ data, error,
 * response }`, where `data` is there for 200 and `error.error` holds `code`, `message`, `details` and `request_id`
 * otherwise. Nothing is thrown but by `fetch` itself, which refuses redirects: the key is for the service alone.
 */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client<paths, 'application/json'> {
  return createFetchClient<paths, 'application/json'>({
    baseUrl,
    headers: { 'X-API-Key': apiKey },
    redirect: 'error',
    ...(fetch && { fetch }),
  })
}
