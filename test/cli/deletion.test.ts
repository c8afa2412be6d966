import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run, runJson, type RunOptions } from './support/run.ts'

const LOG = [
  '203.0.113.7 - - [03/Nov/2026:10:00:00 +0000] "GET /docs/a HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"',
  '203.0.113.7 - - [04/Nov/2026:10:00:00 +0000] "GET /docs/b HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"',
  '203.0.113.8 - - [04/Nov/2026:10:00:00 +0000] "GET /pricing HTTP/1.1" 200 10 "https://chatgpt.com/" "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0"',
]

/** Four answers of two days and engines, one of them a no_answer; three lines of a log. */
async function fillDirectory(): Promise<string> {
  const dataDir = join(makeDirectory(), 'data')
  await runJson(dataDir, 'sites', 'create', '--name', 'Acme', '--domain', 'bücher.example', '--id', 'acme')
  const records = [
    { date: '2026-11-01', platform: 'chatgpt', prompt: 'best tool', text: 'Acme.', citations: ['https://a.example/'] },
    { date: '2026-11-01', platform: 'gemini', prompt: 'best tool', text: 'None.' },
    { date: '2026-11-02', platform: 'chatgpt', prompt: 'worst tool', text: 'Acme, again.' },
    { date: '2026-11-02', platform: 'gemini', prompt: 'worst tool', text: '' },
  ]
  const stdin = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  await run(['import', 'answers', '--site', 'acme', '--create-prompts', '--data-dir', dataDir, '-'], { stdin })
  await run(['import', 'logs', '--site', 'acme', '--data-dir', dataDir, '-'], { stdin: `${LOG.join('\n')}\n` })
  return dataDir
}

const remove = (dataDir: string, noun: 'answers' | 'logs', flags: readonly string[], options: RunOptions = {}) =>
  run([noun, 'delete', '--site', 'acme', '--data-dir', dataDir, ...flags], options)

test('a dry run counts, the deletion does as it said, and nothing is left to delete', async () => {
  const dataDir = await fillDirectory()
  const counts = '2 answers and 0 no_answers with 1 mention and 1 citation'
  const days = ['--from', '2026-11-01', '--to', '2026-11-01']
  expect(await remove(dataDir, 'answers', [...days, '--dry-run'])).toEqual({
    status: 0,
    stdout: `${counts} would be deleted\n`,
    stderr: 'This was a dry run: nothing was changed.\n',
  })
  expect(await remove(dataDir, 'answers', [...days, '--yes'])).toMatchObject({
    status: 0,
    stdout: `${counts} deleted\n`,
  })
  expect(JSON.parse((await remove(dataDir, 'answers', ['--all', '--dry-run', '--json'])).stdout)).toEqual({
    site_id: 'acme',
    from: null,
    to: null,
    prompts: null,
    platform: null,
    answers: 1,
    no_answers: 1,
    mentions: 1,
    citations: 0,
    snapshot: null,
    dry_run: true,
  })
})

test('prompts go by text or id, with an engine', async () => {
  const dataDir = await fillDirectory()
  const { data } = await runJson<{ data: { id: string; text: string }[] }>(dataDir, 'prompts', 'list', '--site', 'acme')
  const { id } = data.find(({ text }) => text === 'worst tool')!
  const flags = ['--prompt', id, '--prompt', 'best tool', '--platform', 'gemini', '--yes', '--json']
  expect(JSON.parse((await remove(dataDir, 'answers', flags)).stdout)).toMatchObject({
    prompts: [id, data.find(({ text }) => text === 'best tool')!.id],
    platform: 'gemini',
    answers: 1,
    no_answers: 1,
    dry_run: false,
  })
  expect(await remove(dataDir, 'answers', ['--prompt', 'no such', '--yes'])).toMatchObject({
    status: 1,
    stderr: 'answerlake: The site has no prompt "no such". `answerlake prompts list` shows them.\n',
  })
})

test('logs go by path and by bot', async () => {
  const dataDir = await fillDirectory()
  expect(await remove(dataDir, 'logs', ['--path', '/docs/*', '--to', '2026-11-03', '--yes'])).toMatchObject({
    status: 0,
    stdout: '1 bot hit and 0 visits deleted\n',
  })
  expect(await remove(dataDir, 'logs', ['--bot', 'GPTBot', '--yes', '--json'])).toMatchObject({
    stdout: expect.stringContaining('"bot_name":"GPTBot","bot_hits":1,"visits":0') as string,
  })
  expect(await remove(dataDir, 'logs', ['--bot', 'NoBot', '--yes'])).toMatchObject({
    status: 1,
    stderr: 'answerlake: There is no bot "NoBot". `answerlake bots list` shows them.\n',
  })
  expect(await remove(dataDir, 'logs', ['--path', 'docs/1?a=b', '--dry-run'])).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /what follows a \?: try --path docs\/1\n.*begin with a slash: try --path \/docs\/1\n/,
    ) as string,
  })
  expect(await remove(dataDir, 'logs', ['--all', '--dry-run'])).toMatchObject({
    stdout: '0 bot hits and 1 visit would be deleted\n',
  })
})

test('the list of what was done says what each deletion was asked for', async () => {
  const dataDir = await fillDirectory()
  await remove(dataDir, 'logs', ['--path', '/docs/b*', '--to', '2026-11-04', '--yes'])
  await remove(dataDir, 'answers', ['--from', '2026-11-02', '--platform', 'gemini', '--yes'])
  await run(['lake', 'retention', '--data-dir', dataDir], { environment: { ANSWERLAKE_RETENTION_LOGS: '16d' } })
  await remove(dataDir, 'answers', ['--all', '--yes'])
  const list = await runJson<{ data: { kind: string; selection: object | null }[] }>(dataDir, 'import', 'list', '--all')
  expect(list.data.map(({ kind, selection }) => [kind, selection])).toEqual([
    ['delete_answers', {}],
    ['retention', { setting: 'retention_logs', period: '16d', from: '2026-11-01', to: '2026-11-03' }],
    ['delete_answers', { from: '2026-11-02', platform: 'gemini' }],
    ['delete_logs', { to: '2026-11-04', path: '/docs/b*' }],
    ['import_logs', null],
    ['import_answers', null],
  ])
  const { stdout } = await run(['import', 'list', '--all', '--data-dir', dataDir])
  expect(stdout).toContain(' everything ')
  expect(stdout).toContain(' to 2026-11-04, path /docs/b* ')
})

test('the domain is asked for on a terminal, and nothing goes without it', async () => {
  const dataDir = await fillDirectory()
  const asked = 'This deletes 0 bot hits and 1 visit of bücher.example for good.\nType bücher.example to go on: '
  const flags = ['--path', '/pricing']
  expect(await remove(dataDir, 'logs', flags, { terminal: true, stdin: 'acme\n' })).toEqual({
    status: 1,
    stdout: '',
    stderr: `${asked}answerlake: That is not bücher.example. Nothing was deleted.\n`,
  })
  expect(await remove(dataDir, 'logs', flags)).toMatchObject({ status: 2, stdout: '' })
  expect(await remove(dataDir, 'logs', flags, { terminal: true, stdin: 'bücher.example\n' })).toEqual({
    status: 0,
    stdout: '0 bot hits and 1 visit deleted\n',
    stderr: asked,
  })
})

test.each([
  [['--yes'], 'say what to delete: --from, --to, --path, --bot, or --all for everything'],
  [['--yes', '--from', '2026-11-04', '--to', '2026-11-03'], '--from 2026-11-04 is after --to 2026-11-03'],
  [['--yes', '--all', '--path', '/'], '--all goes with none of --from, --to, --path, --bot'],
])('%j is wrong usage', async (flags, message) => {
  const dataDir = await fillDirectory()
  expect(await remove(dataDir, 'logs', flags)).toEqual({
    status: 2,
    stdout: '',
    stderr: `answerlake: ${message}\nTry 'answerlake logs delete --help'.\n`,
  })
})

test('retention is shown by the status and enforced at once when that is asked for', async () => {
  const dataDir = await fillDirectory()
  const environment = { ANSWERLAKE_RETENTION_ANSWERS: '19d', ANSWERLAKE_RETENTION_LOGS: '17d' }
  const lake = (...argv: string[]) => run(['lake', ...argv, '--data-dir', dataDir], { environment })
  expect((await lake('status')).stdout).toContain(
    'retention_answers 19d: from 2026-11-01 on\nretention_logs 17d: from 2026-11-03 on\n',
  )
  expect(await lake('retention')).toMatchObject({ status: 0, stdout: 'nothing is older than what is kept\n' })
  environment.ANSWERLAKE_RETENTION_ANSWERS = '18d'
  environment.ANSWERLAKE_RETENTION_LOGS = '16d'
  expect(await lake('retention')).toEqual({
    status: 0,
    stdout: [
      'SITE            SETTING            ANSWERS  BOT HITS  VISITS',
      'bücher.example  retention_answers        2         0       0',
      'bücher.example  retention_logs           0         1       0',
      '',
    ].join('\n'),
    stderr: '',
  })
  expect(JSON.parse((await lake('retention', '--json')).stdout)).toEqual({ retired: [], failures: [] })
  environment.ANSWERLAKE_RETENTION_LOGS = '16 days'
  expect(await lake('retention')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('ANSWERLAKE_RETENTION_LOGS must be keep or a period such as 90d') as string,
  })
})

const COUNTS = '3 answers, 1 no_answer, 3 rows of logs, 2 prompts, 0 competitors, 0 cards'

test('a site goes when its domain is typed, and the list of what was done still names it', async () => {
  const dataDir = await fillDirectory()
  const deletion = (flags: readonly string[], options: RunOptions = {}) =>
    run(['sites', 'delete', 'acme', '--data-dir', dataDir, ...flags], options)
  const dry = await deletion(['--dry-run'])
  expect(dry).toMatchObject({ status: 0, stderr: 'This was a dry run: nothing was changed.\n' })
  expect(dry.stdout).toContain(`bücher.example would be deleted: ${COUNTS}, `)
  expect((await deletion([])).status).toBe(2)
  expect(await deletion([], { terminal: true, stdin: 'acme\n' })).toMatchObject({ status: 1 })
  expect((await runJson<{ data: object[] }>(dataDir, 'sites', 'list')).data).toHaveLength(1)
  const done = await deletion([], { terminal: true, stdin: 'bücher.example\n' })
  expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining(`bücher.example deleted: ${COUNTS}, `) })
  expect(done.stderr).toContain('This deletes the site bücher.example for good: 3 answers')
  expect((await runJson<{ data: object[] }>(dataDir, 'sites', 'list')).data).toEqual([])
  const { data } = await runJson<{ data: object[] }>(dataDir, 'import', 'list', '--all')
  expect(data).toMatchObject([
    {
      kind: 'delete_site',
      site_id: 'acme',
      selection: { domain: 'xn--bcher-kva.example' },
      actor: expect.any(String),
      files: [],
    },
  ])
  expect((await run(['import', 'list', '--all', '--data-dir', dataDir])).stdout).toContain('answers 3, no answers 1')
  expect(await deletion(['--yes'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no site "acme"'),
  })
})

test('an organization goes with its sites and keys', async () => {
  const dataDir = await fillDirectory()
  await runJson(dataDir, 'keys', 'create', '--name', 'k', '--expires', '30')
  const [{ id } = { id: '' }] = (await runJson<{ data: { id: string }[] }>(dataDir, 'orgs', 'list')).data
  const result = await runJson<object>(dataDir, 'orgs', 'delete', id, '--yes')
  expect(result).toMatchObject({
    organization_id: id,
    keys: 1,
    users: 0,
    dry_run: false,
    sites: [{ site_id: 'acme', answers: 3 }],
  })
  expect((await runJson<{ data: object[] }>(dataDir, 'keys', 'list')).data).toEqual([])
  expect((await runJson<{ data: object[] }>(dataDir, 'orgs', 'list')).data).toEqual([])
  const { data } = await runJson<{ data: object[] }>(dataDir, 'import', 'list', '--all')
  expect(data).toMatchObject([
    { kind: 'delete_organization', site_id: null, selection: { organization_id: id, name: 'Acme' } },
    { kind: 'delete_site', site_id: 'acme', selection: { domain: expect.any(String) } },
  ])
})
