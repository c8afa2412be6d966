import { expect, it } from 'vitest'
import { createClassification, createClassifier } from '../../src/import-logs/classify.ts'
import { openLogLines } from '../../src/import-logs/detect.ts'
import { createLogReader } from '../../src/import-logs/reader.ts'
import { createSkim, type Skim } from '../../src/import-logs/skim-combined.ts'

const classification = createClassification({
  ranges: [],
  pageTypeRules: [],
  hosts: ['example.com'],
  keepsRejected: true,
})
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'
const AGENTS = [CHROME, 'GPTBot/1.2', 'curl/8.5.0', '-', CHROME.replace('120', '121')]
const REFERERS = ['-', 'https://example.com/a/b', 'https://chatgpt.com/', 'https://claude.ai', 'not // an /origin/']
const REQUESTS = [
  'GET /a HTTP/1.1',
  'POST /b?page=2 HTTP/1.1',
  'GET /c?utm_source=chatgpt.com HTTP/1.1',
  'GET http://other.example/ HTTP/1.1',
]
const TAILS = ['', ' "203.0.113.9"', ' 12 0.003']

const lines = REQUESTS.flatMap((request) =>
  REFERERS.flatMap((referer) =>
    AGENTS.flatMap((agent) =>
      TAILS.map(
        (tail, no) =>
          `203.0.113.7 - - [21/Nov/2026:10:57:${no}3 +0000] "${request}" 200 5 "${referer}" "${agent}"${tail}`,
      ),
    ),
  ),
)

/** What stands in for a character, or between two. */
const ODD = ['"', '\\', ' ', '[', ']', '\x80', 'ö', '-', '/', '?', '_', '\t', '\0', '\\"', 'T', '9', '\r', '\n', '']

it('lines that are passed over are those that the reader would have ignored', () => {
  const damaged = lines.flatMap((line, lineNo) =>
    Array.from({ length: 2 * line.length }, (_, no) => {
      const at = no >> 1
      const odd = ODD[(lineNo * 7 + no * 5) % ODD.length] ?? ''
      return line.slice(0, at) + odd + line.slice(at + (no % 2))
    }),
  )
  const content = Buffer.from(`${[...lines, ...damaged].join('\n')}\n`)
  const skim = createSkim(classification)
  let skimmed = 0
  const batch = classify(content, (text, start, bytes) => {
    const end = skim(text, start, bytes)
    if (end !== -1) skimmed += 1
    return end
  })
  expect(batch).toEqual(classify(content))
  expect(batch.ignored).toBeGreaterThan(20_000)
  // Most were made so that they must be read.
  expect(skimmed).toBeGreaterThan(5_000)
})

it('lines of people whom no engine has sent are passed over', () => {
  const usual = lines.filter(
    (line) => line.includes(CHROME) && line.includes('example.com/a/b') && line.includes(' /a '),
  )
  const content = Buffer.from(`${usual.join('\n')}\n`)
  const skim = createSkim(classification)
  expect(skim(content.toString('latin1'), 0, content)).toBe(content.indexOf('\n'))
})

function classify(content: Buffer, skim?: Skim) {
  const splitter = openLogLines()
  const reader = createLogReader('combined')
  const classifier = createClassifier(reader, { ...classification }, () => splitter.number, skim)
  splitter.push(content, classifier)
  return classifier.take()
}
