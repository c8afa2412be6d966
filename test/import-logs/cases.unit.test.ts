import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openInput } from '../../src/input/open.ts'
import { LOG_FORMATS } from '../../src/import-logs/formats.ts'
import { type LogOptions, openLog } from '../../src/import-logs/open-log.ts'
import { UPDATES_GOLDEN } from '../support/golden.ts'

// A directory of cases is a case: input.*, expected.json, and options.json where the command line would have flags.
const CASES = join(import.meta.dirname, 'cases')

async function readCase(directory: string): Promise<unknown> {
  const name = readdirSync(directory).find((file) => file.startsWith('input.')) ?? ''
  const optionsPath = join(directory, 'options.json')
  const options: Partial<LogOptions> = existsSync(optionsPath) ? JSON.parse(readFileSync(optionsPath, 'utf8')) : {}
  await using input = await openInput(join(directory, name))
  const { format, splitter, reader } = (await openLog(input, { format: 'auto', ...options }))!
  const records: unknown[] = []
  const visitor = {
    line(text: string, start: number, end: number) {
      const parsed = reader.parse(text, start, end)
      if (parsed !== undefined) records.push({ line: splitter.number, ...parsed })
    },
    fault: (reason: string) => void records.push({ line: splitter.number, reject: reason }),
  }
  for await (const chunk of input) splitter.push(chunk, visitor)
  splitter.end(visitor)
  return { format, records }
}

describe.each(readdirSync(CASES))('%s', (format) => {
  it.each(readdirSync(join(CASES, format)))('%s', async (name) => {
    const directory = join(CASES, format, name)
    const found = await readCase(directory)
    const expectedPath = join(directory, 'expected.json')
    if (UPDATES_GOLDEN) writeFileSync(expectedPath, `${JSON.stringify(found, null, 2)}\n`)
    expect(found).toEqual(JSON.parse(readFileSync(expectedPath, 'utf8')))
    expect(found).toHaveProperty('format', format)
  })
})

it('has cases for every format that can be named', () => {
  expect(readdirSync(CASES).toSorted()).toEqual([...LOG_FORMATS, 'log-format'].toSorted())
})
