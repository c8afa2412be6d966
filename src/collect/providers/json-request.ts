import type { ProviderRequest } from './provider.ts'

/** A question as JSON. */
export function postJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): ProviderRequest {
  return {
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body,
  }
}

/** A question in the query of an address, in the order of its fields; those without a value are left out. */
export function getJson(url: string, query: Readonly<Record<string, string | undefined>> = {}): ProviderRequest {
  const said = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined)
  const search = new URLSearchParams(said).toString()
  return { method: 'GET', url: search === '' ? url : `${url}?${search}`, headers: { accept: 'application/json' } }
}
