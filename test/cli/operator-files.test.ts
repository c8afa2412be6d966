import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './support/run.ts'

const SITE = ['--site', 'acme.com'] as const

/** Every command that reads a small file of the operator's, with where it looks for it in its directory. */
const READERS: readonly (readonly [string, readonly string[]])[] = [
  ['GPTBot.json', ['bots', 'update', '--from', '.']],
  ['rules.txt', ['sites', 'page-types', 'acme.com', 'rules.txt']],
  ['kinds.txt', ['sites', 'source-kinds', 'acme.com', 'kinds.txt']],
  ['prompts.csv', ['prompts', 'import', ...SITE, 'prompts.csv']],
  ['data/config.json', ['lake', 'status']],
  ['backup/MANIFEST.json', ['restore', 'backup', '--data-dir', 'restored']],
  ['backup/MANIFEST.json', ['backup', 'backup']],
]

function toArguments(directory: string, argv: readonly string[]): string[] {
  const placed = argv.map((word) =>
    /^(?:\.|backup|restored|.*\.(?:txt|csv))$/.test(word) ? join(directory, word) : word,
  )
  if (argv[0] === 'backup' || argv[0] === 'restore') placed[0] = argv[0]
  return argv.includes('--data-dir') ? placed : [...placed, '--data-dir', join(directory, 'data')]
}

async function makeSite(): Promise<string> {
  const directory = makeDirectory()
  const dataDir = join(directory, 'data')
  await run(['sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--data-dir', dataDir])
  mkdirSync(join(directory, 'backup'))
  return directory
}

test.each(READERS)('%s as a named pipe or a device is refused at once by %j', async (name, argv) => {
  const directory = await makeSite()
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(directory, name)])
  const { status, stdout, stderr } = await run(toArguments(directory, argv))
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(`${join(directory, name)}: is a pipe, socket or device. Put a regular file in its place.`)
})

test.each(READERS)('%s of 2 GiB is refused unread by %j', async (name, argv) => {
  const directory = await makeSite()
  const path = join(directory, name)
  writeFileSync(path, '')
  truncateSync(path, 2 ** 31)
  const before = process.memoryUsage.rss()
  const { status, stderr } = await run(toArguments(directory, argv))
  expect(status).toBe(1)
  expect(stderr).toMatch(/: is larger than (1|4|16|256) MiB\./)
  expect(process.memoryUsage.rss() - before).toBeLessThan(600 * 1_048_576)
})

test('what a shell gives for <(command) is read', () => {
  const directory = makeDirectory()
  const program = join(process.cwd(), 'bin/answerlake.js')
  const answerlake = `'${process.execPath}' '${program}'`
  const script = `${answerlake} sites create --name Acme --domain acme.com >/dev/null
    ${answerlake} sites page-types acme.com <(sleep 0.2; echo '/x/* pricing')`
  expect(execFileSync('bash', ['-c', script], { cwd: directory, encoding: 'utf8' })).toContain('/x/*')
})
