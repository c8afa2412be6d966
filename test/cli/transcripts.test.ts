import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectGolden } from '../support/golden.ts'
import { makeDirectory } from './support/run.ts'
import { playTranscript } from './support/transcript.ts'

const TRANSCRIPTS = join(import.meta.dirname, 'transcripts')
const names = readdirSync(TRANSCRIPTS).filter((name) => name.endsWith('.txt'))

test('there are transcripts', () => {
  expect(names.length).toBeGreaterThan(0)
})

test.each(names)('the program behaves as in %s', { timeout: 180_000 }, (name) => {
  const transcript = readFileSync(join(TRANSCRIPTS, name), 'utf8')
  expectGolden(`test/cli/transcripts/${name}`, playTranscript(transcript, makeDirectory()))
})
