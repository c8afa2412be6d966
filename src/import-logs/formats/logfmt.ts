import { type JsonFields, type JsonObject, readRecord } from './json-line.ts'
import type { ParseLine } from './log-line.ts'
import { isBlank, undoEscapes } from './log-text.ts'

/** logfmt: `time=2026-11-21T10:57:03Z method=GET path=/a status=200 ua="Mozilla/5.0 …"`; the names are those of JSON logs. */
export function defineLogfmtReader(fields: JsonFields): ParseLine {
  return (line, wrappedAt) => {
    if (isBlank(line)) return undefined
    const record = parseLogfmt(line)
    return record === undefined ? { reject: 'no name=value pairs' } : readRecord(record, fields, wrappedAt)
  }
}

/** The first value of each name; undefined when there is no pair. Words without a value are left out. */
function parseLogfmt(line: string): JsonObject | undefined {
  const pairs: [string, string][] = []
  PAIR.lastIndex = 0
  for (let match = PAIR.exec(line); match !== null; match = PAIR.exec(line)) {
    const [, name = '', quoted, plain = ''] = match
    if (name !== '') pairs.push([name, quoted === undefined ? plain : undoEscapes(quoted)])
  }
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.toReversed())
}

/** One pair, or one word without a value, and the spaces behind it. */
const PAIR = /(?:([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))|\S+)(?:\s+|$)/y
