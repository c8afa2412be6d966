import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRejection } from '../../src/domain/rejection.ts'
import { ADAPTERS, ANSWER_FORMATS } from '../../src/import-answers/adapters.ts'
import { readDocuments } from '../../src/import-answers/documents.ts'
import { readRecords } from '../../src/import-answers/envelope.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/import-answers.md'), 'utf8')

function blocks(language: string): string[] {
  return Array.from(page.matchAll(/```(\w+)\n([\s\S]*?)```/g))
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text)
}

async function read(text: string, defaults = {}): Promise<ReturnType<typeof readRecords>[number][]> {
  async function* content(): AsyncGenerator<Buffer> {
    yield Buffer.from(text)
  }
  const records: ReturnType<typeof readRecords>[number][] = []
  for await (const documents of readDocuments(content())) {
    for (const document of documents) {
      records.push(...('json' in document ? readRecords(document.json, { format: 'auto', defaults }) : [document]))
    }
  }
  return records
}

describe('docs/import-answers.md', () => {
  test('every NDJSON example is accepted as it stands', async () => {
    const examples = blocks('ndjson')
    expect(examples.length).toBe(3)
    for (const text of examples) {
      const records = await read(text)
      expect(records.length).toBe(text.trim().split('\n').length)
      expect(records.filter(isRejection)).toEqual([])
    }
  })

  test('the payload example is rejected without the flag that it asks for and accepted with it', async () => {
    const [payload = ''] = blocks('json')
    expect((await read(payload)).map(isRejection)).toEqual([true])
    expect(await read(payload, { promptId: 'prm_1' })).toMatchObject([
      { text: 'Acme leads.', platform: 'chatgpt', asked_at: '2025-11-20T07:03:09.000Z', search_queries: ['best crm'] },
    ])
  })

  test('every record of the table of rejections is refused with the reason beside it', async () => {
    const rows = Array.from(page.matchAll(/^\| `(\{.*\})` \| `(.*)` \|$/gm))
    expect(rows.length).toBeGreaterThan(4)
    for (const [, record = '', reason = ''] of rows) expect(await read(record)).toEqual([{ reason }])
  })

  test('every format stands in the table, with the engine that is its own', () => {
    for (const format of ANSWER_FORMATS) expect(page).toMatch(new RegExp(`^\\| \`${format}\` \\|`, 'm'))
    for (const adapter of ADAPTERS) {
      const engine = adapter.platform?.({}) ?? adapter.fallbackPlatform?.({})
      if (engine !== undefined) {
        expect(page).toMatch(new RegExp(`^\\| \`${adapter.format}\` \\|.*\\| \`${engine}\``, 'm'))
      }
    }
  })
})
