import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectory } from './support/run.ts'
import { installProgram, makeEnvironment } from './support/program.ts'

/** What stands at a path and below, that others than its owner may use. */
function listOpen(path: string): string[] {
  const info = lstatSync(path)
  const wanted = info.isDirectory() ? 0o700 : 0o600
  const own = (info.mode & 0o777) === wanted ? [] : [`${path} ${(info.mode & 0o777).toString(8)}`]
  return info.isDirectory() ? [...own, ...readdirSync(path).flatMap((name) => listOpen(join(path, name)))] : own
}

const ANSWER = { date: '2026-10-05', platform: 'chatgpt', prompt: 'Which tool?', text: 'Acme.', citations: [] }
const HIT = '203.0.113.7 - - [05/Oct/2026:10:00:00 +0000] "GET /docs HTTP/1.1" 200 10 "-" "GPTBot/1.2"'

test.each(['000', '777'])('under umask %s everything is made for its owner alone', async (umask) => {
  const directory = makeDirectory()
  const bin = installProgram(directory)
  const shell = (line: string, dataDir = 'data') => [
    '-c',
    `umask ${umask}; exec ${bin}/answerlake ${line} --data-dir ${dataDir}`,
  ]
  const options = { cwd: directory, env: makeEnvironment(directory) } as const
  const call = (line: string, dataDir?: string) =>
    execFileSync('/bin/sh', shell(line, dataDir), { ...options, stdio: 'pipe' })
  writeFileSync(join(directory, 'answers.ndjson'), `${JSON.stringify(ANSWER)}\n`)
  writeFileSync(join(directory, 'more.ndjson'), `${JSON.stringify({ ...ANSWER, text: 'No.' })}\n`)
  writeFileSync(join(directory, 'access.log'), `${HIT}\n`)
  call('sites create --name Acme --domain acme.com')
  call('import answers --site acme.com --create-prompts --rejects rejects.ndjson answers.ndjson')
  call('import answers --site acme.com more.ndjson')
  call('import logs --site acme.com access.log')
  call('lake compact')
  call('lake gc')
  call('backup backup')
  call('restore backup', 'restored')
  const server = spawn('/bin/sh', shell('serve --port 0'), options)
  onTestFinished(() => void server.kill('SIGKILL'))
  await once(server.stderr, 'data')
  const made = ['data', 'backup', 'restored', 'rejects.ndjson'].map((name) => join(directory, name))
  expect(made.flatMap(listOpen)).toEqual([])
  expect(readdirSync(join(directory, 'data'))).toContain('catalog.sqlite-wal')
  server.kill('SIGTERM')
  await once(server, 'close')
})
