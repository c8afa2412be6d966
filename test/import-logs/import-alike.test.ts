import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ImportLogsResult } from '../../src/import-logs/import-options.ts'
import { hits, openLogSite } from './support/log-site.ts'

function alike({ warnings }: ImportLogsResult): string[] {
  return warnings.filter((warning) => warning.startsWith('Begins like'))
}

const toWarning = (name: string): string =>
  `Begins like a log that was imported before, but then stops or differs: ${name}. If it is a cut copy of that log, the lines of both count twice. --dry-run says this too, and keeps nothing.`

describe('a log that begins like a known one', () => {
  it('and was cut where no import ended is warned of, in a dry run too', async () => {
    await using site = await openLogSite()
    await site.import(site.write('access.log', hits(1, 1_000)))
    for (const count of [30, 900]) {
      const content = hits(1, count)
      for (const copy of [content, content.slice(0, -30), gzipSync(content)]) {
        const path = site.write('copy.log', copy)
        expect(alike(await site.import(path, { dryRun: true }))).toEqual([toWarning(path)])
      }
      expect(alike(await site.importStdin(content, { dryRun: true }))).toEqual([toWarning('standard input')])
    }
    const path = site.write('copy.log', hits(1, 900))
    expect(alike(await site.import(path))).toEqual([toWarning(path)])
    expect(alike(await site.import(path))).toEqual([])
  })

  it('and was cut between two ends is warned of', async () => {
    await using site = await openLogSite()
    for (const end of [400, 1_100]) await site.import(site.write('access.log', hits(1, end)))
    const path = site.write('copy.log', hits(1, 700))
    expect(alike(await site.import(path))).toEqual([toWarning(path)])
  })

  it('and then differs is warned of, also within one call', async () => {
    await using site = await openLogSite()
    const one = site.write('one.log', `${hits(1, 100)}${hits(1_001, 1_200)}`)
    const other = site.write('other.log', `${hits(1, 100)}${hits(2_001, 2_300)}`)
    expect(alike(await site.import([one, other]))).toEqual([toWarning(other)])
  })

  it('because it is that log, grown, renamed, compressed or truncated, is not warned of', async () => {
    await using site = await openLogSite()
    const path = site.write('access.log', hits(1, 3))
    const results = [await site.import(path)]
    for (let size = 3; size < 600; size += 97) {
      appendFileSync(path, hits(size + 1, size + 97))
      results.push(await site.import(path))
    }
    appendFileSync(path, hits(601, 650).slice(0, -20))
    results.push(await site.import(path))
    appendFileSync(path, hits(601, 650).slice(-20))
    renameSync(path, `${path}.1`)
    writeFileSync(path, hits(651, 700))
    results.push(await site.import([path, `${path}.1`]))
    truncateSync(path)
    appendFileSync(path, hits(701, 900))
    results.push(await site.import(path), await site.import(site.write('old.gz', gzipSync(hits(701, 950)))))
    expect(results.flatMap(alike)).toEqual([])
  })
})
