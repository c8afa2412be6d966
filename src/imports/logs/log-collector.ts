import { createPageTypeMatcher } from '../../derive/page-types.ts'
import { PAGE_TYPES } from '../../domain/enums.ts'
import type { HitRow, LogWriter, VisitRow } from '../../lake/log-writer.ts'
import { LOG_CHUNK_PATH_CHARACTERS_MAX, LOG_CHUNK_PATHS_MAX, LOG_CHUNK_ROWS_MAX } from '../../limits.ts'
import type { PageTypeRule } from '../../reference/page-types.ts'
import { VERIFICATIONS } from '../../derive/verification.ts'
import type { LogBatch } from './log-tally.ts'
import { SumTable } from './sum-table.ts'

/** Sums batches up to rows of a quarter of an hour and hands them to the writer, chunk by chunk. */
export interface LogCollector {
  add(batch: LogBatch): Promise<void>
  /** Hands over what is left. */
  flush(): Promise<void>
}

/** `pageTypeRules` are the site's own; they give paths that the site doesn't have yet their type. */
export function createLogCollector(writer: LogWriter, pageTypeRules: readonly PageTypeRule[]): LogCollector {
  const pageTypes = createPageTypeMatcher(pageTypeRules)
  const hits = new SumTable(LOG_CHUNK_ROWS_MAX)
  const visits = new SumTable(LOG_CHUNK_ROWS_MAX)
  const sources: string[] = []
  let paths = new Map<string, number>()
  let pathCharacters = 0

  function toPathSeq(path: string): number {
    const known = paths.get(path)
    if (known !== undefined) return known
    paths.set(path, paths.size)
    pathCharacters += path.length
    return paths.size - 1
  }

  function toSourceNo(source: string): number {
    if (!sources.includes(source)) sources.push(source)
    return sources.indexOf(source)
  }

  const isFull = (): boolean =>
    hits.isFull || visits.isFull || paths.size >= LOG_CHUNK_PATHS_MAX || pathCharacters >= LOG_CHUNK_PATH_CHARACTERS_MAX

  /** Adds a batch's hits, or its visits, one by one; paths get their place in the chunk where one first needs them. */
  async function addAll(
    { paths: texts }: LogBatch,
    columns: { readonly path: Uint32Array; readonly time: Uint32Array },
    addOne: (row: number, pathSeq: number, slot: number, lastSecond: number) => void,
  ): Promise<void> {
    let places = new Int32Array(texts.length).fill(-1)
    for (let row = 0; row < columns.path.length; row++) {
      if (isFull()) {
        await flush()
        places = new Int32Array(texts.length).fill(-1)
      }
      const place = columns.path[row] ?? 0
      let pathSeq = places[place] ?? -1
      if (pathSeq === -1) places[place] = pathSeq = toPathSeq(texts[place] ?? '')
      const time = columns.time[row] ?? 0
      addOne(row, pathSeq, Math.floor(time / SLOT_SECONDS), time % SLOT_SECONDS)
    }
  }

  async function flush(): Promise<void> {
    if (hits.size === 0 && visits.size === 0) return
    await writer.write({
      paths: paths.keys().map((path) => ({ path, pageTypeNo: PAGE_TYPES.indexOf(pageTypes.find(path)) + 1 })),
      hits: hits.rows().map(({ a, b, c, count, errors, last }): HitRow => ({
        pathSeq: a,
        slot: b,
        botNo: Math.floor(c / VERIFICATIONS.length),
        verificationNo: c % VERIFICATIONS.length,
        hits: count,
        errorHits: errors,
        lastSecond: last,
      })),
      visits: visits.rows().map(({ a, b, c, count, last }): VisitRow => ({
        pathSeq: a,
        slot: b,
        source: sources[c] ?? '',
        visits: count,
        lastSecond: last,
      })),
    })
    hits.clear()
    visits.clear()
    paths = new Map()
    pathCharacters = 0
  }

  return {
    async add(batch) {
      const { bot, verification, error } = batch.hits
      await addAll(batch, batch.hits, (row, pathSeq, slot, lastSecond) => {
        const key = (bot[row] ?? 0) * VERIFICATIONS.length + (verification[row] ?? 0)
        hits.add(pathSeq, slot, key, error[row] ?? 0, lastSecond)
      })
      const sourceNos = batch.sources.map(toSourceNo)
      await addAll(batch, batch.visits, (row, pathSeq, slot, lastSecond) => {
        visits.add(pathSeq, slot, sourceNos[batch.visits.source[row] ?? 0] ?? 0, 0, lastSecond)
      })
    },
    flush,
  }
}

const SLOT_SECONDS = 900
