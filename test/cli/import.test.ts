import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run, runJson } from './support/run.ts'
import { startProgram } from './support/program.ts'

const ANSWER = `${JSON.stringify({ date: '2026-11-01', platform: 'chatgpt', prompt: 'best tool', text: 'Acme.' })}\n`

async function makeSite(): Promise<string> {
  const dataDir = join(makeDirectory(), 'answerlake-data')
  await runJson(dataDir, 'sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--id', 'acme')
  return dataDir
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s stops an import that waits for more input, without a trace', async (signal, status) => {
  const dataDir = await makeSite()
  const program = startProgram(['import', 'answers', '--site', 'acme', '--create-prompts', '-'], join(dataDir, '..'))
  // More than a pipe holds: once it is taken, the import is at work.
  const isTaken = new Promise((resolve) => program.child.stdin.write(ANSWER.repeat(5_000), resolve))
  await isTaken
  program.child.kill(signal)
  expect(await program.finish()).toEqual({ status, signal: null })
  // A slow machine also says how far it has come.
  const stderr = program.output.stderr.replaceAll(/^importing: .*\n/gm, '')
  expect({ ...program.output, stderr }).toEqual({
    stdout: '',
    stderr: `answerlake: stopped by ${signal}; what was not finished is undone\n`,
  })
  expect(await runJson(dataDir, 'prompts', 'list', '--site', 'acme')).toMatchObject({ data: [] })
  expect(await runJson(dataDir, 'sites', 'list')).toMatchObject({ data: [{ id: 'acme', last_answer_scan: null }] })
})

test('the result in JSON has the counts of each file and of all', async () => {
  const dataDir = await makeSite()
  const argv = ['import', 'answers', '--site', 'acme.com', '--create-prompts', '--data-dir', dataDir]
  const result = await run([...argv, '--json', '-'], { stdin: `${ANSWER}{"date":"2026-11-01"}\n${ANSWER}` })
  expect({ ...result, stdout: JSON.parse(result.stdout) as unknown }).toMatchObject({
    status: 3,
    stdout: {
      site_id: 'acme',
      files: [{ file: '-', records: 3, imported: 1, duplicates: 1, no_answer: 0, rejected: 1 }],
      imported: 1,
      duplicates: 1,
      no_answer: 0,
      rejected: 1,
      rejections: [{ file: '-', line: 2 }],
      snapshot: 1,
    },
    stderr: '',
  })
  expect(await run([...argv, '-'], { stdin: ANSWER })).toEqual({
    status: 0,
    stdout:
      'FILE  RECORDS  IMPORTED  DUPLICATES  NO ANSWER  REJECTED\n-           1         0           1          0         0\n',
    stderr: expect.stringContaining('1 duplicate was told by prompt, engine, day and text alone') as string,
  })
})

test('a record dropped as a duplicate counts neither as a scan nor as one more answer that names a competitor', async () => {
  const dataDir = await makeSite()
  const argv = ['import', 'answers', '--site', 'acme', '--create-prompts', '--data-dir', dataDir, '-']
  const toLine = (record: object): string =>
    `${JSON.stringify({ platform: 'chatgpt', prompt: 'best tool', text: 'Rival.', mentions: ['Rival', 'rival'], ...record })}\n`
  const first = toLine({ id: 'a1', date: '2026-11-01' })
  const again = toLine({ id: 'a1', date: '2026-11-09' })
  const later = toLine({ id: 'a2', date: '2026-11-02', text: null })
  expect(await run(argv, { stdin: first + again })).toMatchObject({ status: 0 })
  expect(await runJson(dataDir, 'sites', 'list')).toMatchObject({
    data: [{ last_answer_scan: { date: '2026-11-01', status: 'partial' } }],
  })
  expect(await run(argv, { stdin: first + later + again })).toMatchObject({ status: 0 })
  expect(await runJson(dataDir, 'sites', 'list')).toMatchObject({
    data: [{ last_answer_scan: { date: '2026-11-02', status: 'failed' } }],
  })
  expect(await runJson(dataDir, 'competitors', 'list')).toMatchObject({ data: [{ name: 'Rival', answers: 1 }] })
})

test('answers of days to come are imported with a warning, and what it says takes them back', async () => {
  const dataDir = await makeSite()
  const argv = ['import', 'answers', '--site', 'acme', '--create-prompts', '--data-dir', dataDir]
  const toLine = (date: string): string => ANSWER.replace('2026-11-01', date)
  const expectScan = async (date: string): Promise<void> =>
    expect(await runJson(dataDir, 'sites', 'list')).toMatchObject({ data: [{ last_answer_scan: { date } }] })
  // Tomorrow has begun in the east.
  const usual = await run([...argv, '-'], { stdin: ANSWER + toLine('2026-11-21') })
  expect(usual).toMatchObject({ status: 0, stderr: expect.not.stringContaining('note:') })
  const stdin = toLine('2026-11-22') + toLine('9999-12-31') + toLine('9999-12-31')
  const warning =
    "2 records are dated in the future, up to 9999-12-31; until then that day is the site's newest scan. If it is a mistake, give up what was imported of that month with `answerlake lake repair --drop` (the files in lake/answers/acme/9999-12 and lake/no_answers/acme/9999-12), and import it again with the right dates."
  const tried = await run([...argv, '--dry-run', '--json', '-'], { stdin })
  expect(JSON.parse(tried.stdout)).toMatchObject({
    imported: 2,
    duplicates: 1,
    warnings: [warning, expect.any(String)],
  })
  expect(await run([...argv, '-'], { stdin })).toMatchObject({ status: 0, stderr: expect.stringContaining(warning) })
  await expectScan('9999-12-31')

  const [file] = readdirSync(join(dataDir, 'lake/answers/acme/9999-12'))
  const path = join(dataDir, 'lake/answers/acme/9999-12', file!)
  expect(await run(['lake', 'repair', '--drop', path, '--data-dir', dataDir])).toMatchObject({ status: 0 })
  await expectScan('2026-11-22')
  expect(await run([...argv, '-'], { stdin: toLine('9999-12-31') })).toMatchObject({ status: 0 })
})

test('a link without an http(s) URL is dropped and counted, and its answer stays; one of a wrong type rejects its record', async () => {
  const dataDir = await makeSite()
  const toLine = (id: string, citations: readonly unknown[]): string =>
    `${JSON.stringify({ id, date: '2026-11-01', platform: 'chatgpt', prompt: 'best tool', text: 'Acme.', citations })}\n`
  const without = [{ url: null }, {}, { title: 'No URL' }, '', 'mailto:a@acme.com', 'https://acme.com/x']
  const result = await run(
    ['import', 'answers', '--site', 'acme', '--create-prompts', '--json', '--data-dir', dataDir, '-'],
    { stdin: toLine('kept', without) + toLine('broken', [{ url: 5 }]) + toLine('broken too', [null]) },
  )
  expect({ ...result, stdout: JSON.parse(result.stdout) as unknown }).toMatchObject({
    status: 3,
    stdout: {
      imported: 1,
      rejected: 2,
      citations_dropped: 5,
      rejections: [
        { line: 2, reason: 'citations[0].url: found 5; wanted a string' },
        { line: 3, reason: 'citations[0]: found null; wanted a URL, or an object with a url' },
      ],
    },
  })
})

test('a competitor that is removed leaves its place in older answers, and the command says until when', async () => {
  const dataDir = await makeSite()
  await runJson(dataDir, 'competitors', 'add', '--site', 'acme', '--name', 'Rival')
  await run(['import', 'answers', '--site', 'acme', '--create-prompts', '--data-dir', dataDir, '-'], { stdin: ANSWER })
  expect(await run(['competitors', 'remove', '--site', 'acme', 'Rival', '--data-dir', dataDir])).toMatchObject({
    status: 0,
    stderr: 'Answers already imported keep their mentions until: answerlake lake rederive --site acme.com\n',
  })
})

test('a bad day is wrong usage, not rejected records', async () => {
  const dataDir = await makeSite()
  const argv = ['import', 'answers', '--site', 'acme', '--data-dir', dataDir, '--date']
  expect(await run([...argv, '2026-02-31', '-'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--date must be a day such as 2026-11-20, not "2026-02-31"') as string,
  })
})

test('a reader of the result that goes away disturbs nothing', async () => {
  const dataDir = await makeSite()
  const program = startProgram(['openapi'], join(dataDir, '..'))
  program.child.stdout.destroy()
  expect(await program.finish()).toEqual({ status: 0, signal: null })
  expect(program.output.stderr).toBe('')
})
