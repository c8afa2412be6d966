import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { accessLog } from './generator/access-log.ts'
import { answersNdjson } from './generator/answers.ts'
import { rangeFiles } from './generator/crawlers.ts'
import { promptsCsv } from './generator/prompts.ts'
import { CARDS_FILE } from './generator/done-cards.ts'
import { SITE_FILE } from './generator/world.ts'

const ZSTD = {
  [constants.ZSTD_c_compressionLevel]: 15,
  [constants.ZSTD_c_windowLog]: 23,
  [constants.ZSTD_c_checksumFlag]: 1,
}

/** Writes the demo's inputs into a directory: the same contents each time, as README.md beside this file describes them. */
export function generateDemo(directory: string): void {
  mkdirSync(join(directory, 'ranges'), { recursive: true })
  writeFileSync(join(directory, 'site.json'), `${JSON.stringify(SITE_FILE, null, 2)}\n`)
  writeFileSync(join(directory, 'cards.json'), `${JSON.stringify(CARDS_FILE, null, 2)}\n`)
  writeFileSync(join(directory, 'prompts.csv'), promptsCsv())
  writeFileSync(join(directory, 'answers.ndjson.zst'), zstdCompressSync(answersNdjson(), { params: ZSTD }))
  writeFileSync(join(directory, 'access.log.gz'), gzipSync(accessLog(), { level: 9 }))
  for (const [name, text] of rangeFiles()) writeFileSync(join(directory, 'ranges', name), text)
}

if (import.meta.main) generateDemo(import.meta.dirname)
