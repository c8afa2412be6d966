import { array, assert, asyncProperty, constantFrom, integer, jsonValue, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Document } from '../../src/import-answers/document.ts'
import { readDocuments } from '../../src/import-answers/documents.ts'
import { readRecords } from '../../src/import-answers/envelope.ts'
import { ANSWER_RECORD_BYTES_MAX } from '../../src/limits.ts'

async function read(content: string | Buffer, chunkBytes = 64 * 1_024): Promise<Document[]> {
  const bytes = Buffer.from(content)
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return collect(chunks())
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Document[]> {
  const all: Document[] = []
  for await (const documents of readDocuments(chunks)) all.push(...documents)
  return all
}

/** What a reader of the result looks at: the line with the value, or with the fault. */
function seen(documents: readonly Document[]): unknown[] {
  return documents.map((document) =>
    'reason' in document
      ? { line: document.line, reason: document.reason }
      : { line: document.line, json: document.json },
  )
}

describe('NDJSON', () => {
  test('gives one record a line with its number, skipping blank lines, whatever the line ends', async () => {
    const text = '\n{"a":1}\r\n\r\n  {"b":"x\\ny"}  \n\n{"c":[{}]}'
    expect(await read(text)).toEqual([
      { array: 0, line: 2, text: '{"a":1}', json: { a: 1 } },
      { array: 0, line: 4, text: '{"b":"x\\ny"}', json: { b: 'x\ny' } },
      { array: 0, line: 6, text: '{"c":[{}]}', json: { c: [{}] } },
    ])
  })

  test('a line that is cut off anywhere costs only itself', async () => {
    const good = '{"date":"2026-09-01","text":"a {\\"b\\"} c","citations":["x",{"url":"y"}],"n":{"o":[1,{"p":2}]}}'
    for (let length = 1; length < good.length; length += 1) {
      const text = `${good}\n${good.slice(0, length)}\n${good}\n${good}\n`
      for (const chunkBytes of [7, 1_000]) {
        const documents = await read(text, chunkBytes)
        const parsed = documents.filter((document) => 'json' in document)
        expect(
          parsed.map(({ line }) => line),
          `cut after ${good.slice(0, length)}`,
        ).toEqual([1, 3, 4])
        expect(documents.length - parsed.length, `cut after ${good.slice(0, length)}`).toBe(1)
      }
    }
  })

  test('a first line that is cut off costs only itself', async () => {
    const good = '{"text":"a","citations":["x",{"url":"y"}]}'
    for (let length = 1; length < good.length; length += 1) {
      const documents = await read(`${good.slice(0, length)}\n${good}\n`)
      expect(documents.map(({ line }) => line)).toEqual([1, 2])
      expect(documents.map((document) => 'json' in document)).toEqual([false, true])
    }
  })

  test('what is no object is handed on or named as a fault, a line each', async () => {
    expect(
      seen(await read('null\n12\n"a, b"\nnonsense {\n{"a":1}}\n{"a":1} x\n]\n{"b":2},\n{"c":3}{"d":4}\n')),
    ).toEqual([
      { line: 1, json: null },
      { line: 2, json: 12 },
      { line: 3, json: 'a, b' },
      { line: 4, reason: expect.stringContaining('not valid JSON: Unexpected token') },
      { line: 5, reason: expect.stringContaining('not valid JSON: Unexpected non-whitespace character after JSON') },
      { line: 6, reason: expect.stringContaining('not valid JSON: Unexpected non-whitespace character after JSON') },
      { line: 7, reason: expect.stringContaining('not valid JSON: Unexpected token') },
      { line: 8, json: { b: 2 } },
      { line: 9, json: { c: 3 } },
      { line: 9, json: { d: 4 } },
    ])
  })

  test('bytes that are no UTF-8 spoil only their record', async () => {
    const content = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n{"b":"ü"}\n')])
    expect(seen(await read(content, 3))).toEqual([
      { line: 1, reason: 'invalid UTF-8' },
      { line: 2, json: { b: 'ü' } },
    ])
  })

  test('a byte order mark is not part of the text, at the start or where files were joined', async () => {
    expect(seen(await read('\uFEFF{"a":1}\n\uFEFF{"b":2}\n', 1))).toEqual([
      { line: 1, json: { a: 1 } },
      { line: 2, json: { b: 2 } },
    ])
  })

  test('a UTF-16 file is named as one, once', async () => {
    const content = Buffer.from('\uFEFF{"a":1}\n{"b":2}\n', 'utf16le')
    expect(seen(await read(content, 5))).toEqual([{ line: 1, reason: 'the file is UTF-16; save it as UTF-8' }])
  })

  test('an empty file and one of white space hold no records', async () => {
    expect(await read('')).toEqual([])
    expect(await read('\uFEFF \n\r\n\t')).toEqual([])
  })
})

describe('documents and arrays', () => {
  const pretty = `{\n  "a": [\n    {\n      "b": "}{"\n    }\n  ]\n}\n`

  test('documents over many lines follow one another, each at the line where it starts', async () => {
    expect(seen(await read(`${pretty}\n${pretty}{"c":1}\n`))).toEqual([
      { line: 1, json: { a: [{ b: '}{' }] } },
      { line: 9, json: { a: [{ b: '}{' }] } },
      { line: 16, json: { c: 1 } },
    ])
  })

  test('the elements of an array are records, on one line or over many', async () => {
    expect(seen(await read('[{"a":1},{"b":"],["} ,\n{"c":3}, [4], "x,y", 5,\n {\n"d": 6}\n]'))).toEqual([
      { line: 1, json: { a: 1 } },
      { line: 1, json: { b: '],[' } },
      { line: 2, json: { c: 3 } },
      { line: 2, json: [4] },
      { line: 2, json: 'x,y' },
      { line: 2, json: 5 },
      { line: 3, json: { d: 6 } },
    ])
  })

  test('arrays and objects may follow one another', async () => {
    expect(seen(await read('[]\n[{"a":1}]\n{"b":2}\n[{"c":3}]\n'))).toEqual([
      { line: 2, json: { a: 1 } },
      { line: 3, json: { b: 2 } },
      { line: 4, json: { c: 3 } },
    ])
  })

  test('a broken element costs only itself', async () => {
    expect(seen(await read('[\n {"a":1},\n {"b":2,\n {"c":3},\n {"d":},\n {"e":5}\n]'))).toEqual([
      { line: 2, json: { a: 1 } },
      { line: 3, reason: 'not valid JSON: it ends before it is complete' },
      { line: 4, json: { c: 3 } },
      { line: 5, reason: expect.stringContaining('not valid JSON: ') },
      { line: 6, json: { e: 5 } },
    ])
  })

  test('an array without its end is a fault beside its records', async () => {
    expect(seen(await read('\n[{"a":1},\n{"b":2}\n'))).toEqual([
      { line: 2, json: { a: 1 } },
      { line: 3, json: { b: 2 } },
      { line: 2, reason: 'not valid JSON: the array that starts on this line has no end; the records in it were read' },
    ])
  })

  test('an array cut off in a record is one fault', async () => {
    expect(seen(await read('[{"a":1},\n{"b":'))).toEqual([
      { line: 1, json: { a: 1 } },
      { line: 2, reason: 'not valid JSON: it ends before it is complete' },
    ])
  })

  test('a document without its end is one fault', async () => {
    expect(seen(await read('{"a":1}\n{\n  "b": {\n    "c": 1\n'))).toEqual([
      { line: 1, json: { a: 1 } },
      { line: 2, reason: 'not valid JSON: it ends before it is complete' },
    ])
  })

  test('every layout in pieces of every size gives the same records at the same lines', async () => {
    const layouts = constantFrom('ndjson', 'crlf', 'pretty', 'compact array', 'pretty array', 'array of lines')
    const records = array(record({ t: string({ unit: 'grapheme' }), v: jsonValue({ maxDepth: 3 }) }), {
      maxLength: 6,
    })
    await assert(
      asyncProperty(records, layouts, integer({ min: 1, max: 40 }), async (values, layout, chunkBytes) => {
        const text = layOut(values, layout)
        const documents = await read(text, chunkBytes)
        expect(documents.map((document) => ('json' in document ? document.json : document))).toEqual(
          values.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
        )
        const lines = text.split('\n')
        for (const document of documents) expect(lines[document.line - 1]).toContain(document.text.split('\n')[0])
        expect(documents).toEqual(await read(text))
      }),
      { numRuns: 500 },
    )
  })
})

function layOut(values: readonly unknown[], layout: string): string {
  const lines = values.map((value) => JSON.stringify(value))
  switch (layout) {
    case 'ndjson':
      return lines.join('\n')
    case 'crlf':
      return lines.map((line) => `${line}\r\n`).join('')
    case 'pretty':
      return values.map((value) => JSON.stringify(value, null, 2)).join('\n')
    case 'compact array':
      return `[${lines.join(',')}]`
    case 'pretty array':
      return JSON.stringify(values, null, 2)
    default:
      return `[\n${lines.join(',\n')}\n]\n`
  }
}

describe('long records', () => {
  const long = 'x'.repeat(ANSWER_RECORD_BYTES_MAX)
  const reason = 'longer than 16 MiB'

  test('one byte too many is refused, as many as allowed are not', async () => {
    const fits = `{"a":"${long.slice(8)}"}`
    expect(fits.length).toBe(ANSWER_RECORD_BYTES_MAX)
    const documents = await read(`${fits}\n${fits.replace('"}', ' "}')}\n{"b":1}\n`, 1_024 * 1_024)
    expect(documents.map(({ line, ...rest }) => [line, 'reason' in rest ? rest.reason : 'read'])).toEqual([
      [1, 'read'],
      [2, reason],
      [3, 'read'],
    ])
  })

  test.each([
    ['on a line', (record: string) => `{"a":1}\n${record}\n{"b":2}\n`],
    ['in an array', (record: string) => `[{"a":1},${record},\n{"b":2}]`],
  ])('a long record %s is skipped, and the records after it are read', async (_, layOutAround) => {
    const record = `{"c":"${long}\\\\","d":[{"e":"}"}]}`
    expect(seen(await read(layOutAround(record), 64 * 1_024))).toEqual([
      { line: 1, json: { a: 1 } },
      { line: layOutAround('x').startsWith('[') ? 1 : 2, reason },
      { line: layOutAround('x').startsWith('[') ? 2 : 3, json: { b: 2 } },
    ])
  })

  test('brackets a million deep are read or refused like any other record', async () => {
    const deep = `{"error":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
    const documents = await read(`${deep}\n[${deep},\n{"b":2}]\n${'['.repeat(1_000_000)}`)
    expect(documents.map(({ line }) => line)).toEqual([1, 2, 3, 4])
    for (const document of documents) {
      if ('json' in document)
        expect(readRecords(document.json, { format: 'auto', defaults: {} })[0]).toHaveProperty('reason')
    }
  })

  test('long text that is no JSON is skipped to the end of its line', async () => {
    expect(seen(await read(`a${long}{"x":1}\n{"b":2}\n`))).toEqual([
      { line: 1, reason },
      { line: 2, json: { b: 2 } },
    ])
  })

  test('a line of 200 MB and an array of 200 MB on one line take no more memory than one record', async () => {
    const piece = Buffer.from(`{"text":"${'y'.repeat(8_000)}"},`)
    async function* array(): AsyncGenerator<Buffer> {
      yield Buffer.from('[')
      for (let i = 0; i < 25_000; i += 1) yield piece
      yield Buffer.from('{}]')
    }
    async function* line(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"text":"')
      for (let i = 0; i < 25_000; i += 1) yield Buffer.alloc(8_000, 'z')
      yield Buffer.from('"}\n{"b":2}\n')
    }
    const before = process.memoryUsage.rss()
    let peak = before
    let records = 0
    for await (const documents of readDocuments(array())) {
      records += documents.length
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    expect(records).toBe(25_001)
    expect(seen(await collect(line()))).toEqual([
      { line: 1, reason },
      { line: 2, json: { b: 2 } },
    ])
    peak = Math.max(peak, process.memoryUsage.rss())
    expect(peak - before).toBeLessThan(150 * 1_024 * 1_024)
  })
})

describe('Bright Data CSV', () => {
  const header = 'url,prompt,answer_text,citations,web_search_triggered,error\r\n'

  test('rows become objects; JSON columns are parsed, empty cells left out, line breaks in quotes kept', async () => {
    const rows =
      'https://chatgpt.com/,best crm,"Acme, ""the"" CRM\nand Bolt","[{""url"":""https://a.example/""}]",true,\r\n' +
      'https://chatgpt.com/,second,ü,,false,\r\n'
    for (const chunkBytes of [5, 4_096]) {
      expect(seen(await read(`\uFEFF${header}${rows}`, chunkBytes))).toEqual([
        {
          line: 2,
          json: {
            url: 'https://chatgpt.com/',
            prompt: 'best crm',
            answer_text: 'Acme, "the" CRM\nand Bolt',
            citations: [{ url: 'https://a.example/' }],
            web_search_triggered: 'true',
          },
        },
        {
          line: 4,
          json: { url: 'https://chatgpt.com/', prompt: 'second', answer_text: 'ü', web_search_triggered: 'false' },
        },
      ])
    }
  })

  test('a broken row costs only itself', async () => {
    const rows = 'a,b\r\nu,p,t,[broken,,\r\nu,p,t,,,\r\n'
    expect(seen(await read(header + rows))).toEqual([
      { line: 2, reason: 'not valid CSV: found 2 cells; wanted 6' },
      { line: 3, reason: 'citations: not valid JSON' },
      { line: 4, json: { url: 'u', prompt: 'p', answer_text: 't' } },
    ])
  })

  test('a row that is too long is skipped', async () => {
    const long = 'x'.repeat(ANSWER_RECORD_BYTES_MAX)
    expect(seen(await read(`${header}u,p,${long},,,\r\nu,p,t,,,\r\n`))).toEqual([
      { line: 2, reason: 'longer than 16 MiB' },
      { line: 3, json: { url: 'u', prompt: 'p', answer_text: 't' } },
    ])
  })
})
