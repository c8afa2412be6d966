import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ADAPTERS, ANSWER_FORMATS } from '../../src/import-answers/adapters.ts'
import type { Document } from '../../src/import-answers/document.ts'
import { readDocuments } from '../../src/import-answers/documents.ts'
import { readRecords, type ReadOptions } from '../../src/import-answers/envelope.ts'
import { isObject, type JsonObject } from '../../src/import-answers/adapters/json.ts'
import { UPDATES_GOLDEN } from '../support/golden.ts'

interface Expected {
  readonly flags: ReadOptions['defaults']
  readonly records: readonly unknown[]
}

const CASES = join(import.meta.dirname, 'cases')
const cases = readdirSync(CASES).flatMap((format) =>
  readdirSync(join(CASES, format)).map((name) => [format, name] as const),
)

/** `input.*` of a case as the import reads it: the documents in it, then the records in each of them. */
async function read(dir: string, options: ReadOptions): Promise<unknown[]> {
  const records: unknown[] = []
  for (const document of await readAll(dir)) {
    const found = 'json' in document ? readRecords(document.json, options) : [{ reason: document.reason }]
    records.push(...found.map((record) => JSON.parse(JSON.stringify(record)) as unknown))
  }
  return records
}

async function readInput(dir: string): Promise<unknown[]> {
  return (await readAll(dir)).flatMap((document) => ('json' in document ? [document.json] : []))
}

async function readAll(dir: string): Promise<Document[]> {
  const file = readdirSync(dir).find((name) => name.startsWith('input.')) ?? 'input.json'
  async function* content(): AsyncGenerator<Buffer> {
    yield readFileSync(join(dir, file))
  }
  const found: Document[] = []
  for await (const documents of readDocuments(content())) found.push(...documents)
  return found
}

function expected(dir: string): Expected {
  return JSON.parse(readFileSync(join(dir, 'expected.json'), 'utf8')) as Expected
}

describe('payloads in the shapes of their vendors', () => {
  test.each(cases)('%s: %s gives exactly the expected records', async (format, name) => {
    const dir = join(CASES, format, name)
    const { flags } = expected(dir)
    const records = await read(dir, { format: 'auto', defaults: flags })
    if (UPDATES_GOLDEN) {
      writeFileSync(join(dir, 'expected.json'), `${JSON.stringify({ flags, records }, null, 2)}\n`)
    }
    expect(records).toEqual(expected(dir).records)
  })

  test('every format has at least three cases', () => {
    for (const format of ANSWER_FORMATS) expect(cases.filter(([each]) => each === format).length).toBeGreaterThan(2)
  })
})

describe('recognition', () => {
  const payloads = ADAPTERS.flatMap(({ format }) => cases.filter(([each]) => each === format))

  test.each(payloads)('%s: %s is recognised by its own adapter and by no other', async (format, name) => {
    for (const payload of (await readInput(join(CASES, format, name))).filter(isPayload)) {
      const takers = ADAPTERS.filter((adapter) => adapter.recognises(payload)).map((adapter) => adapter.format)
      expect(takers, JSON.stringify(payload).slice(0, 200)).toEqual([format])
    }
  })

  test.each(payloads)('%s: %s reads the same when its format is named', async (format, name) => {
    const dir = join(CASES, format, name)
    const named = ANSWER_FORMATS.find((each) => each === format) ?? 'native'
    const documents = (await readInput(dir)).filter(isPayload)
    const { flags: defaults } = expected(dir)
    expect(documents.flatMap((json) => readRecords(json, { format: named, defaults }))).toEqual(
      documents.flatMap((json) => readRecords(json, { format: 'auto', defaults })),
    )
  })

  test('no adapter takes a native record', async () => {
    for (const name of ['no-answer-and-time-alone', 'rejected', 'flags-fill-what-is-missing']) {
      for (const record of (await readInput(join(CASES, 'native', name))).filter(isObject)) {
        expect(ADAPTERS.filter((adapter) => adapter.recognises(record))).toEqual([])
      }
    }
  })

  test('a payload of another format than the one named is refused with what that one looks for', () => {
    expect(readRecords({ candidates: [] }, { format: 'xai', defaults: {} })).toEqual([
      { reason: 'found an object with candidates; wanted output[] or choices[] of a grok model (format xai)' },
    ])
  })
})

/** Errors of an API stand in for a payload, and nobody's adapter knows them. */
function isPayload(json: unknown): json is JsonObject {
  return isObject(json) && (!('error' in json) || Object.keys(json).length > 3)
}
