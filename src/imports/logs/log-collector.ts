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
  const named = new Map<number, NamedPaths>()
  let paths = new Map<string, number>()
  let pathCharacters = 0

  function toPathSeq({ texts, seqs }: NamedPaths, place: number): number {
    const seq = seqs[place] ?? -1
    if (seq !== -1) return seq
    const path = texts[place] ?? ''
    const known = paths.get(path)
    seqs[place] = known ?? paths.size
    if (known !== undefined) return known
    paths.set(path, paths.size)
    pathCharacters += path.length
    return paths.size - 1
  }

  function nameAll({ tallyNo, paths: texts, pathsBefore }: LogBatch): NamedPaths {
    const known = named.get(tallyNo) ?? { texts: [], seqs: [] }
    known.texts.length = pathsBefore
    known.seqs.length = pathsBefore
    for (const text of texts) {
      known.texts.push(text)
      known.seqs.push(-1)
    }
    named.set(tallyNo, known)
    return known
  }

  function toSourceNo(source: string): number {
    if (!sources.includes(source)) sources.push(source)
    return sources.indexOf(source)
  }

  const isFull = (): boolean =>
    hits.isFull || visits.isFull || paths.size >= LOG_CHUNK_PATHS_MAX || pathCharacters >= LOG_CHUNK_PATH_CHARACTERS_MAX

  /** Adds a batch's hits, or its visits, one by one; paths get their place in the chunk where one first needs them. */
  async function addAll(
    names: NamedPaths,
    columns: { readonly path: Uint32Array; readonly time: Uint32Array },
    addOne: (row: number, pathSeq: number, slot: number, lastSecond: number) => void,
  ): Promise<void> {
    for (let row = 0; row < columns.path.length; row++) {
      if (isFull()) await flush()
      const pathSeq = toPathSeq(names, columns.path[row] ?? 0)
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
    for (const { seqs } of named.values()) seqs.fill(-1)
  }

  return {
    async add(batch) {
      const { bot, verification, error } = batch.hits
      const names = nameAll(batch)
      await addAll(names, batch.hits, (row, pathSeq, slot, lastSecond) => {
        const key = (bot[row] ?? 0) * VERIFICATIONS.length + (verification[row] ?? 0)
        hits.add(pathSeq, slot, key, error[row] ?? 0, lastSecond)
      })
      const sourceNos = batch.sources.map(toSourceNo)
      await addAll(names, batch.visits, (row, pathSeq, slot, lastSecond) => {
        visits.add(pathSeq, slot, sourceNos[batch.visits.source[row] ?? 0] ?? 0, 0, lastSecond)
      })
    },
    flush,
  }
}

/** Paths as a tally has named them, and their places in the chunk, -1 where they have none yet. */
interface NamedPaths {
  readonly texts: string[]
  readonly seqs: number[]
}

const SLOT_SECONDS = 900
