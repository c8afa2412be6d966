import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { openProgress } from '../../cli/progress.ts'
import { openTestIo } from './support/test-io.ts'

const ERASE_LINE = '\u001B[0K'

function openTestProgress(terminal: boolean) {
  let now = 0
  const io = openTestIo({ terminal })
  const progress = openProgress('importing', io, { now: () => now })
  return { io, progress, at: (ms: number) => void (now = ms) }
}

test('the first second shows nothing', () => {
  for (const terminal of [true, false]) {
    const { io, progress, at } = openTestProgress(terminal)
    at(999)
    progress.report({ done: 1, total: 2, note: '1 record' })
    progress.close()
    expect(io.stderr.text).toBe('')
  }
})

test('without a terminal there is a line after a second and then every five', () => {
  const { io, progress, at } = openTestProgress(false)
  for (const second of [0, 1, 2, 3, 4, 5, 6, 7, 11]) {
    at(second * 1000)
    progress.report({ done: second, total: 12, note: `${second} records` })
  }
  progress.close()
  expect(io.stderr.text).toBe('importing: 8%, 1 records\nimporting: 50%, 6 records\nimporting: 91%, 11 records\n')
  expect(io.stdout.text).toBe('')
})

test('work without a known end shows what was done', () => {
  const { io, progress, at } = openTestProgress(true)
  at(1_000)
  progress.report({ done: 1, note: '1 record' })
  expect(io.stderr.text).toBe('importing: 1 record\n')
})

test('a terminal gets a bar on standard error, which is gone in the end', () => {
  const { io, progress, at } = openTestProgress(true)
  at(1_500)
  progress.report({ done: 50, total: 100, note: '7 records' })
  expect(stripVTControlCharacters(io.stderr.text)).toMatch(/importing \[=+-+\] 50% 7 records/)
  progress.close()
  expect(io.stderr.text).toContain(ERASE_LINE)
  expect(io.stdout.text).toBe('')
})
