import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { priceOfJudgement } from '../../../src/collect/judge/judge-call.ts'
import { resolveJudge } from '../../../src/collect/judge/judge.ts'
import { INSTRUCTIONS, PROMPT_VERSION, toMessage } from '../../../src/collect/judge/prompt.ts'
import { JUDGEMENT_SCHEMA } from '../../../src/import-answers/judge-replies/judgement.ts'
import { parseScanConfig } from '../../../src/collect/scan-config.ts'
import { toSentimentRecord } from '../../../src/import-answers/judge-replies/sentiment-record.ts'
import { listLabelledAnswers } from '../../../src/reference/labelled-answers.ts'

const LABELLED = listLabelledAnswers()
const page = readFileSync(join(import.meta.dirname, '../../../docs/sentiment.md'), 'utf8')

/** Code blocks of a kind in the section, in their order. */
function readBlocks(section: string, kind: string): string[] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === kind)
    .map(([, , code = '']) => code)
}

it('prints the prompt word by word, with its version', () => {
  expect(readBlocks('The prompt', 'text')).toEqual([`${INSTRUCTIONS}\n`])
  expect(page).toContain(`Every model gets this text, version ${PROMPT_VERSION}, as its instructions.`)
})

it('prints the message as it is made', () => {
  const [example = ''] = readBlocks('The prompt', 'json')
  const message = toMessage({ brand: 'Acme', alsoCalled: ['Acme Inc.'], answer: 'Acme leads. "Bolt" follows.' })
  expect(JSON.parse(example)).toEqual(JSON.parse(message))
})

it('prints the schema', () => {
  expect(readBlocks('The schema', 'json')).toEqual([`${JSON.stringify(JUDGEMENT_SCHEMA, null, 2)}\n`])
})

it('shows records that an import takes', () => {
  const records = [...page.matchAll(/`(\{"id".*?\})`/g)].map(([, record = '']) => record)
  expect(records.length).toBeGreaterThan(0)
  for (const record of records)
    expect(toSentimentRecord(JSON.parse(record))).toMatchObject({ id: expect.any(String) as string })
})

it('says what 1,000 judgements of 3,000 characters cost, by the price catalogue', () => {
  const message = toMessage({ brand: 'Acme', alsoCalled: [], answer: 'word '.repeat(600) })
  const rows = [...page.matchAll(/^\| (\w+) (\S+) \| ([\d.]+) \| ([\d.]+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(5)
  for (const [, provider = '', model = '', low, high] of rows) {
    const config = parseScanConfig({ judge: { provider, model } }, 'scan.json')
    const { lowMicros, highMicros } = priceOfJudgement(resolveJudge(config, {}), message)
    expect([(lowMicros / 1_000).toFixed(2), (highMicros / 1_000).toFixed(2)], `${provider} ${model}`).toEqual([
      low,
      high,
    ])
  }
})

it('counts the labelled set rightly', () => {
  const count = (sentiment: string): number => LABELLED.filter((example) => example.sentiment === sentiment).length
  const languages = new Set(LABELLED.map(({ language }) => language)).size
  expect(page).toContain(
    `holds ${LABELLED.length} short answers about made-up brands in ${languages} languages, ` +
      `${count('positive')} positive, ${count('neutral')} neutral, ${count('negative')} negative`,
  )
  expect(page).toContain(
    `${LABELLED.filter(({ kind }) => kind === 'steering').length} examples of the\nlabelled set try to steer`,
  )
})
