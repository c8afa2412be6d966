import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommandError } from '../../src/errors.ts'
import { type InputOptions, openInput } from '../../src/input/open.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'answerlake-input-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true })
})

const TEXT = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `line ${index} with some words\n`).join(''))

function write(name: string, content: Buffer | string): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

async function read(path: string, options?: InputOptions): Promise<Buffer> {
  const input = await openInput(path, options)
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function failure(path: string, options?: InputOptions): Promise<string> {
  const error = await read(path, options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CommandError)
  return error instanceof Error ? error.message.replaceAll(directory, 'DIR') : ''
}

function damage(content: Buffer, at: number): Buffer {
  const copy = Buffer.from(content)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

/** A stream that hands out a few bytes at a time, so that every boundary of the format is met. */
function inPieces(content: Buffer, bytes: number): Readable {
  const pieces = Array.from({ length: Math.ceil(content.length / bytes) }, (_, index) =>
    content.subarray(index * bytes, (index + 1) * bytes),
  )
  return Readable.from(pieces)
}

const zstd = (content: Buffer | string): Buffer =>
  zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })

describe('compression', () => {
  it.each([
    ['plain', TEXT, undefined],
    ['gzip', gzipSync(TEXT), 'gzip'],
    ['zstd', zstd(TEXT), 'zstd'],
    ['nothing at all', Buffer.alloc(0), undefined],
    ['a single byte', Buffer.from('\x1f'), undefined],
    ['gzip of nothing', gzipSync(''), 'gzip'],
    ['zstd of nothing', zstd(''), 'zstd'],
  ] as const)('recognises %s by its content, whatever the name', async (_, content, compression) => {
    const expected = content.length < 50 ? (compression === undefined ? content : Buffer.alloc(0)) : TEXT
    for (const name of ['access.log', 'access.log.gz', 'access.log.zst']) {
      const path = write(name, content)
      await using input = await openInput(path)
      expect(input.compression).toBe(compression)
      expect((await read(path)).equals(expected)).toBe(true)
    }
  })

  it.each([1, 7, 4_096, 1_000_000])('reads all gzip members and zstd frames, in pieces of %i bytes', async (bytes) => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])
    const parts = ['one\n', 'two\n', '', 'three\n']
    const gzip = Buffer.concat(parts.map((part) => gzipSync(part)))
    const frames = Buffer.concat([skippable, ...parts.flatMap((part) => [zstd(part), skippable])])
    expect(String(await read('-', { stdin: inPieces(gzip, bytes) }))).toBe('one\ntwo\nthree\n')
    expect(String(await read('-', { stdin: inPieces(frames, bytes) }))).toBe('one\ntwo\nthree\n')
  })

  it.each([1, 600, 1_000_000])('takes zero bytes after gzip data as padding, in pieces of %i bytes', async (bytes) => {
    const padded = Buffer.concat([gzipSync('one\n'), Buffer.alloc(1_024)])
    expect(String(await read('-', { stdin: inPieces(padded, bytes) }))).toBe('one\n')
  })

  it('expands a billion zeros in memory that stays flat', async () => {
    const million = gzipSync(Buffer.alloc(1_000_000))
    const bomb = write('bomb.gz', Buffer.concat(Array.from({ length: 1_000 }, () => million)))
    const before = process.memoryUsage().rss
    const input = await openInput(bomb)
    let bytes = 0
    for await (const chunk of input) bytes += chunk.length
    expect(bytes).toBe(1_000_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })
})

describe('refusals name the file and what to do', () => {
  it('a file that is not there', async () => {
    expect(await failure(join(directory, 'nope.log'))).toBe(
      'DIR/nope.log: there is no such file. Check the path; - reads standard input.',
    )
    expect(await failure(join(write('file', ''), 'below'))).toBe(
      'DIR/file/below: there is no such file. Check the path; - reads standard input.',
    )
  })

  it('a directory', async () => {
    expect(await failure(`${directory}/`)).toBe('DIR/: is a directory. Name the files in it, for example DIR/*.')
  })

  it.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    const path = write('secret.log', 'x')
    chmodSync(path, 0)
    expect(await failure(path)).toBe(
      'DIR/secret.log: no permission to read it. Give this user read access, or run as its owner.',
    )
  })

  const ADVICE = 'Get the file from its origin again; nothing of it was imported.'

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['zstd', zstd(TEXT)],
  ] as const)('%s that was cut off, wherever', async (compression, whole) => {
    for (const left of [4, 11, 100, whole.length - 5, whole.length - 1]) {
      const path = write('cut', whole.subarray(0, left))
      expect(await failure(path)).toBe(`DIR/cut: the ${compression} data ends too early. ${ADVICE}`)
    }
    const second = write('second', Buffer.concat([whole, whole.subarray(0, -1)]))
    expect(await failure(second)).toBe(`DIR/second: the ${compression} data ends too early. ${ADVICE}`)
  })

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['zstd', zstd(TEXT)],
  ] as const)('%s with a damaged byte in the middle, and in its checksum', async (compression, whole) => {
    const checksumAt = compression === 'gzip' ? whole.length - 8 : whole.length - 4
    for (const at of [whole.length >> 1, checksumAt]) {
      const message = await failure(write('damaged', damage(whole, at)))
      expect(message).toBe(`DIR/damaged: the ${compression} data is damaged. ${ADVICE}`)
    }
  })

  it.each([1, 5, 1_000_000])('something else behind the compressed data, in pieces of %i bytes', async (bytes) => {
    const inZstd = Buffer.concat([zstd('one\n'), Buffer.from('and some text')])
    expect(await failure('-', { stdin: inPieces(inZstd, bytes) })).toBe(
      `standard input: the zstd data is followed by something else. ${ADVICE}`,
    )
    const inGzip = Buffer.concat([gzipSync('one\n'), Buffer.from('and some text')])
    expect(await failure('-', { stdin: inPieces(inGzip, bytes) })).toMatch(
      /^standard input: the gzip data is (damaged|followed by something else)\. Get the file/,
    )
    const afterPadding = Buffer.concat([gzipSync('one\n'), Buffer.alloc(100), Buffer.from('x')])
    expect(await failure('-', { stdin: inPieces(afterPadding, bytes) })).toBe(
      `standard input: the gzip data is followed by something else. ${ADVICE}`,
    )
  })

  it.each([
    ['bzip2', Buffer.from('BZh91AY&SY'), 'bzip2 -dc'],
    ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), 'xz -dc'],
    ['zip', Buffer.from('PK\x03\x04'), 'unzip -p'],
  ] as const)('%s, which is not read', async (name, head, command) => {
    expect(await failure(write('archive', head))).toBe(
      `DIR/archive: ${name} is not read. Unpack it first, for example: ${command} DIR/archive | answerlake import … -`,
    )
  })

  it('a tar archive, plain or compressed', async () => {
    const tar = Buffer.alloc(1_536)
    tar.write('access.log')
    tar.write('ustar', 257, 'latin1')
    const advice = (command: string): string =>
      `a tar archive is not read. Unpack it first, for example: tar ${command} | answerlake import … -`
    expect(await failure(write('logs.tar', tar))).toBe(`DIR/logs.tar: ${advice('-xOf DIR/logs.tar')}`)
    expect(await failure(write('logs.tgz', gzipSync(tar)))).toBe(`DIR/logs.tgz: ${advice('-xzOf DIR/logs.tgz')}`)
    expect(await failure(write('logs.tzst', zstd(tar)))).toBe(`DIR/logs.tzst: ${advice('--zstd -xOf DIR/logs.tzst')}`)
    expect(await failure('-', { stdin: Readable.from([gzipSync(tar)]) })).toBe(`standard input: ${advice('-xzO')}`)
  })

  it('a stream that breaks', async () => {
    const stdin = new Readable({
      read() {
        this.destroy(new Error('connection reset'))
      },
    })
    expect(await failure('-', { stdin })).toBe(
      'standard input: reading failed (connection reset). Check the disk, then import it again.',
    )
  })

  it('a compressed stream that breaks later', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield gzipSync(TEXT).subarray(0, 100)
      throw new Error('connection reset')
    }
    expect(await failure('-', { stdin: Readable.from(broken()) })).toBe(
      'standard input: reading failed (connection reset). Check the disk, then import it again.',
    )
  })
})

describe('what callers learn on the way', () => {
  it('tells how much of the file is read, compressed as it is', async () => {
    const packed = gzipSync(TEXT)
    const input = await openInput(write('a.gz', packed))
    expect(input.progress()).toEqual({ readBytes: 0, totalBytes: packed.length })
    for await (const chunk of input) expect(chunk.length).toBeGreaterThan(0)
    expect(input.progress()).toEqual({ readBytes: packed.length, totalBytes: packed.length })
    const piped = await openInput('-', { stdin: inPieces(TEXT, 1_000) })
    expect(piped.progress()).toEqual({ readBytes: 0, totalBytes: undefined })
    await piped.close()
  })

  it('lets a caller look ahead without missing anything', async () => {
    const input = await openInput('-', { stdin: inPieces(TEXT, 1_000) })
    expect(String(await input.peek(12))).toBe(TEXT.toString('utf8', 0, 12))
    expect((await input.peek(5_000)).equals(TEXT.subarray(0, 5_000))).toBe(true)
    const chunks: Buffer[] = []
    for await (const chunk of input) chunks.push(Buffer.from(chunk))
    expect(Buffer.concat(chunks).equals(TEXT)).toBe(true)
    const short = await openInput('-', { stdin: inPieces(Buffer.from('abc'), 1) })
    expect(String(await short.peek(100))).toBe('abc')
    await short.close()
  })
})
