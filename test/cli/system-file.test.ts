import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineCommand, type Loader } from '../../cli/command.ts'
import { makeDirectory, run } from './support/run.ts'

const seen: { dataDir: string; port: string | undefined }[] = []
const look = (defaultDataDir?: string): Record<string, Loader> => ({
  look: async () =>
    defineCommand({
      summary: 'look',
      args: {},
      examples: ['look'],
      ...(defaultDataDir === undefined ? {} : { defaultDataDir }),
      run: async ({ dataDir, environment }) => void seen.push({ dataDir, port: environment['ANSWERLAKE_PORT'] }),
    }),
})

function write(text: string): string {
  const path = join(makeDirectory(), 'answerlake.env')
  writeFileSync(path, text)
  return path
}

async function find(options: Parameters<typeof run>[1], argv: readonly string[] = ['look']) {
  const result = await run(argv, { table: look(), ...options })
  return result.status === 0 ? seen.pop() : result
}

test('the file of the system names the data directory and settings for every command', async () => {
  const systemFile = write(
    '# made by the installation\n\nANSWERLAKE_DATA_DIR=/srv/lake\n ANSWERLAKE_PORT="9090" \n; end\n',
  )
  expect(await find({ systemFile })).toEqual({ dataDir: '/srv/lake', port: '9090' })
})

test('the environment goes before it, a flag before both, and a command with a directory of its own leaves it be', async () => {
  const systemFile = write('ANSWERLAKE_DATA_DIR=/srv/lake\nANSWERLAKE_PORT=9090')
  const environment = { ANSWERLAKE_DATA_DIR: '/mine', ANSWERLAKE_PORT: '1' }
  expect(await find({ systemFile, environment })).toEqual({ dataDir: '/mine', port: '1' })
  expect(await find({ systemFile, environment }, ['look', '--data-dir', '/flag'])).toMatchObject({ dataDir: '/flag' })
  expect(await find({ systemFile, environment: { ANSWERLAKE_DATA_DIR: '', ANSWERLAKE_PORT: '' } })).toEqual({
    dataDir: '/srv/lake',
    port: '9090',
  })
  expect(await find({ systemFile, table: look('./own') })).toEqual({ dataDir: './own', port: '9090' })
  expect(await find({ systemFile, environment, table: look('./own') })).toMatchObject({ dataDir: '/mine' })
})

test('it may name secrets of providers, and files with them', async () => {
  const file = 'ANSWERLAKE_SECRET_OPENAI_FILE=/srv/key\nANSWERLAKE_SECRET_SERPAPI=k\nANSWERLAKE_DATA_DIR=/srv/lake'
  expect(await find({ systemFile: write(file) })).toMatchObject({ dataDir: '/srv/lake' })
  expect(await find({ systemFile: write('ANSWERLAKE_SECRET_NOBODY=k') })).toMatchObject({ status: 2 })
})

test('without the file, or with an empty path, nothing changes', async () => {
  const without = { dataDir: './answerlake-data', port: undefined }
  expect(await find({ systemFile: join(makeDirectory(), 'none.env') })).toEqual(without)
  expect(await find({ systemFile: '' })).toEqual(without)
})

test.each(['ANSWERLAKE_DATADIR=/srv', 'export ANSWERLAKE_DATA_DIR=/srv', 'PATH=/bin', '/srv/lake'])(
  'a line that says something else is wrong usage, told with its place: %s',
  async (line) => {
    const systemFile = write(`ANSWERLAKE_PORT=1\n${line}\n`)
    expect(await find({ systemFile })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${systemFile}:2: write NAME=value, with one of the names ANSWERLAKE_DATA_DIR, `),
    })
  },
)

test('a file that cannot be read stops every command, instead of a second data directory', async () => {
  const systemFile = join(makeDirectory(), 'answerlake.env')
  mkdirSync(systemFile)
  expect(await find({ systemFile })).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be read') })
})
