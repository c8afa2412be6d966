import { openSync, closeSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import type { LakeFile } from '../../src/domain/manifest.ts'
import { sql } from '../../src/lake/sql.ts'
import { USUAL_VISIBILITY_METRICS } from '../../src/reports/visibility/contract.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { makeAnswers, openTestLake, SITE } from '../maintenance/support/lake.ts'
import { makeLogLines } from '../maintenance/support/log-lines.ts'
import { createRandom } from './support/random.ts'

/** The long form: BIT_FLIPS=2000. */
const FLIPS = Number(process.env['BIT_FLIPS'] ?? 600)
const SEED = 1
/** Flips after which the file is read without a look at it, and after which a report is asked. */
const READ_EVERY = 4
const ASKED_EVERY = 20

/** Writes one byte in the place of another; the file keeps its length and its name. */
function writeByte(path: string, at: number, byte: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Uint8Array.of(byte), 0, 1, at)
  closeSync(file)
}

/** The status that the visibility report would be answered with. */
async function askVisibility({ reports }: App): Promise<string> {
  const request = {
    site_id: SITE,
    start_date: '2026-10-01',
    end_date: '2026-10-31',
    limit: 10,
    group_by: [],
    metrics: USUAL_VISIBILITY_METRICS,
    brands: 'owned' as const,
  }
  return reports.visibility(SITE, request).then(
    () => 'answered',
    (error: unknown) => String(Reflect.get(Object(error), 'code')),
  )
}

/** Reads the file as a server does that has looked at it before and doesn't notice; what comes of it doesn't matter. */
async function readBlindly({ lake }: App, file: LakeFile): Promise<void> {
  await lake
    .select(sql`SELECT sum(hash(r))::VARCHAR AS sum FROM ${lake.filesOf(file.dataset, [file])} AS r`)
    .catch(() => undefined)
}

test(
  `each of ${FLIPS} flipped bits is found, and none ends the process or makes a report answer`,
  { timeout: 600_000 },
  async () => {
    const { app, answers, logs, files } = await openTestLake()
    await answers(makeAnswers('A', '2026-10', 40))
    await logs(makeLogLines('2026-10', 3, 20))
    const needed = new Set(['answers', 'mentions', 'citations', 'hosts'])
    const live = files()
    const random = createRandom(SEED)
    const missed: string[] = []
    for (let flip = 0; flip < FLIPS; flip++) {
      const file = live[Math.floor(random() * live.length)]!
      const path = join(app.change.lakeDir, file.path)
      const at = Math.floor(random() * file.bytes)
      const bit = Math.floor(random() * 8)
      const byte = readFileSync(path)[at]!
      writeByte(path, at, byte ^ (1 << bit))
      const { ok, damaged } = await verifyLake(app.change, {})
      if (ok || damaged.length !== 1 || damaged[0]!.path !== file.path)
        missed.push(`${file.path} byte ${at} bit ${bit}`)
      if (flip % READ_EVERY === 0) await readBlindly(app, file)
      if (flip % ASKED_EVERY === 0) {
        const status = await askVisibility(app)
        if (needed.has(file.dataset) !== (status === 'data_unavailable'))
          missed.push(`${file.path} byte ${at}: ${status}`)
      }
      writeByte(path, at, byte)
    }
    expect(missed).toEqual([])
    expect([(await verifyLake(app.change, {})).ok, await askVisibility(app)]).toEqual([true, 'answered'])
  },
)
