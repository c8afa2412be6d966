import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CommandError, UsageError } from '../../src/errors.ts'
import { hits, type LogSite, openLogSite } from './support/log-site.ts'

const OLD = new Date('2026-11-20T00:00:00Z')

/** Writes files into a directory of the site's; gives its path. */
function fill(site: LogSite, files: Readonly<Record<string, string | Buffer>>): string {
  const directory = join(site.dir, 'logs')
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, OLD, OLD)
  }
  return directory
}

describe('a directory', () => {
  it('is taken with all its files at any depth, in order, but not what is hidden', async () => {
    await using site = await openLogSite()
    const directory = fill(site, {
      'b.log': hits(1, 1),
      'a/deep/c.log': hits(2, 3),
      'a.log.1.gz': gzipSync(hits(4, 6)),
      '.hidden': hits(7, 7),
      '.git/x': hits(8, 8),
    })
    symlinkSync(directory, join(directory, 'circle'))
    const { files, bot_hits } = await site.import([directory, site.write('own.log', hits(9, 9))])
    expect(bot_hits).toBe(7)
    expect(files.map(({ file }) => file)).toEqual([
      join(directory, 'a.log.1.gz'),
      join(directory, 'a/deep/c.log'),
      join(directory, 'b.log'),
      join(site.dir, 'own.log'),
    ])
  })

  it('gives the files that a glob takes, by name or by path', async () => {
    await using site = await openLogSite()
    const directory = fill(site, { 'a.log': hits(1, 1), 'x/b.log': hits(2, 2), 'x/error.txt': 'no log\n' })
    const names = async (...include: string[]): Promise<string[]> =>
      (await site.import(directory, { include, dryRun: true })).files.map(({ file }) =>
        file.slice(directory.length + 1),
      )
    expect(await names('*.log')).toEqual(['a.log', 'x/b.log'])
    expect(await names('x/*.log')).toEqual(['x/b.log'])
    expect(await names('a.*', 'b.*')).toEqual(['a.log', 'x/b.log'])
    await expect(names('*.gz')).rejects.toThrow(
      new CommandError(`${directory}: there is no file in it that --include takes.`),
    )
    await expect(site.import(join(directory, 'a.log'), { include: ['*'] })).rejects.toThrow(UsageError)
  })
})

describe('a file that is no log', () => {
  it('is rejected while others count, and fails a call of its own', async () => {
    await using site = await openLogSite()
    const directory = fill(site, {
      'a.log': hits(1, 2),
      'b.txt': 'once\nupon\na time\n',
      'c.zip': Buffer.from('PK\x03\x04 something'),
      'd.log': hits(3, 4),
      'e.log': Buffer.from(`\uFEFF${hits(5, 5)}`, 'utf16le'),
    })
    const result = await site.import(directory)
    expect(result).toMatchObject({ lines: 7, bot_hits: 4, rejected: 3 })
    expect(result.files.map(({ format, rejected }) => [format, rejected])).toEqual([
      ['combined', 0],
      [null, 1],
      [null, 1],
      ['combined', 0],
      [null, 1],
    ])
    expect(result.rejections).toMatchObject([
      { file: join(directory, 'b.txt'), line: 1, reason: expect.stringContaining('none of the known formats') },
      { reason: expect.stringContaining('zip is not read') },
      { reason: expect.stringContaining('UTF-16') },
    ])
    expect((await site.import(directory, { strict: true })).snapshot).toBeNull()
    await expect(site.import(join(directory, 'b.txt'))).rejects.toThrow('none of the known formats')
  })
})

describe('a known file', () => {
  it('is passed over by name, size and time, without being opened', async () => {
    await using site = await openLogSite()
    const directory = fill(site, { 'a.log': hits(1, 5), 'b.log': hits(6, 7) })
    const first = await site.import(directory)
    expect(first.bot_hits).toBe(7)
    const opened: string[] = []
    const importAgain = () => site.import(directory, { onProgress: ({ file }) => void opened.push(file) })
    const again = await importAgain()
    expect(again).toMatchObject({ lines: 7, already_imported: 7, bot_hits: 0, snapshot: first.snapshot })
    expect(again.files.map(({ format }) => format)).toEqual(['combined', 'combined'])
    expect(opened).toEqual([])
    // Of the same size, but later.
    const path = join(directory, 'a.log')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/1 ', '/9 '))
    expect(await importAgain()).toMatchObject({ bot_hits: 5, already_imported: 2 })
    expect(opened).toContain(path)
  })

  it('is opened again when it has grown, was written just now, or only a dry run has seen it', async () => {
    await using site = await openLogSite()
    const directory = fill(site, { 'a.log': hits(1, 5) })
    const path = join(directory, 'a.log')
    await site.import(path, { dryRun: true })
    expect(await site.import(path)).toMatchObject({ bot_hits: 5 })
    writeFileSync(path, hits(1, 6))
    expect(await site.import(path)).toMatchObject({ bot_hits: 1, already_imported: 5 })
    expect(site.app.catalog.imports.listLogFiles('site')).toMatchObject([{ lines: 5 }])
    utimesSync(path, OLD, OLD)
    await site.import(path)
    expect(site.app.catalog.imports.listLogFiles('site')).toMatchObject([{ lines: 6 }])
  })
})
