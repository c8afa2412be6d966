import { describe, expect, it } from 'vitest'
import { chooseFormat } from '../../src/http/accept.ts'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'

describe('Accept', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    [' , ', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['text/*', 'csv'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['Application/JSON;odata=verbose', 'json'],
    ['text/csv', 'csv'],
    ['TEXT/CSV; header=present', 'csv'],
    ['application/x-ndjson', 'ndjson'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['*/*, text/csv', 'csv'],
    ['text/*, application/x-ndjson', 'ndjson'],
    ['*/*, text/*', 'json'],
    ['text/*, */*', 'csv'],
    ['text/csv;q=0.5, application/json;q=0.4', 'csv'],
    ['text/csv;q=0.4, application/json;q=0.5', 'json'],
    ['text/csv;q=0.5, */*', 'json'],
    ['text/csv;q=0.9, application/json;q=0.9, application/x-ndjson', 'ndjson'],
    ['application/json;q=0, */*', 'csv'],
    ['application/json;q=0, text/csv;q=0, */*;q=0.1', 'ndjson'],
    ['text/csv;q=.2, */*; q=.1', 'csv'],
    ['text/csv ; Q = 0.3 , application/json ;q=0.2', 'csv'],
    ['text/csv;q=1.000, application/json;q=0.999', 'csv'],
    ['text/csv;q=0.1, text/csv;q=0.8, application/json;q=0.5', 'csv'],
    ['text/csv;q=7, application/json', 'csv'],
    ['text/csv;x="a,b;q=0", application/json;q=0.5', 'csv'],
    ['text/html;x="\\",text/csv", application/x-ndjson', 'ndjson'],
  ])('%j is answered with %s', (accept, format) => {
    expect(chooseFormat(accept)).toBe(format)
  })

  it.each([
    'text/html',
    'image/*',
    'json',
    '*',
    'text/csv;q=0',
    'text/csv;q=nonsense',
    '*/*;q=0',
    'text/csv;q=-1',
    'application/ndjson',
    'text/html;x=", text/csv',
  ])('%j is not acceptable', (accept) => {
    expect(() => chooseFormat(accept)).toThrow(expect.objectContaining({ code: 'not_acceptable', status: 406 }))
  })

  it('takes the time of its length', () => {
    const startedMs = performance.now()
    for (const part of ['"', '\\', ',', ';', '"\\', 'x/*,', ' ', 'q=']) {
      expect(() => chooseFormat(`x/y;${part.repeat(16_000)}z`)).toThrow('Accept')
    }
    expect(performance.now() - startedMs).toBeLessThan(500)
  })

  it('is looked at by every list and report, and by no other endpoint', () => {
    const isList = (path: string, method: string): boolean =>
      (method === 'POST' && /^\/v1\/(reports\/|answers$)/.test(path)) ||
      (method === 'GET' && /\/(sites|competitors|platforms|prompts|actions)$/.test(path))
    for (const { method, path, rows } of ENDPOINTS) {
      expect(rows !== undefined, `${method} ${path}`).toBe(isList(path, method))
    }
  })
})
