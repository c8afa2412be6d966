import type { LogWriter } from '../../lake/log-writer.ts'
import type { NamedPaths } from '../../lake/path-numbers.ts'
import {
  LOG_CHUNK_PATH_CHARACTERS_MAX,
  LOG_CHUNK_PATHS_MAX,
  LOG_CHUNK_ROWS_MAX,
  LOG_LIST_PATHS_MAX,
  LOG_TALLY_PATHS_MAX,
} from '../../limits.ts'
import type { LogBatch } from './log-batch.ts'
import { RowStore } from './row-store.ts'

/** Gathers what batches hold and hands it to the writer, chunk by chunk. */
export interface LogCollector {
  add(batch: LogBatch): Promise<void>
  /** Hands over what is left. */
  flush(): Promise<void>
}

/**
 * Lists paths as tallies name them, the same path once for each tally that has met it: to compare texts here would take
 * longer than all the rest. When the list is full, the next one begins with the paths that tallies still have names for.
 */
export function createLogCollector(writer: LogWriter): LogCollector {
  const hits = new RowStore(['path', 'time', 'bot', 'verification', 'error'], LOG_CHUNK_ROWS_MAX)
  const visits = new RowStore(['path', 'time', 'source'], LOG_CHUNK_ROWS_MAX)
  const sources: string[] = []
  /** The place in the list of each path that a tally has named. */
  const seqsByTally = new Map<number, number[]>()
  let listed = 0
  /** Of them, those that the list began with. */
  let begun = 0
  let keptPaths: Uint32Array | undefined
  let newPaths: NamedPaths[] = []
  let pathCharacters = 0

  function listPaths({ tallyNo, paths, pathsBefore }: LogBatch): readonly number[] {
    const seqs = seqsByTally.get(tallyNo) ?? []
    seqs.length = pathsBefore
    for (let no = 0; no < paths.count; no++) seqs.push(listed + no)
    seqsByTally.set(tallyNo, seqs)
    newPaths.push(paths)
    listed += paths.count
    pathCharacters += paths.json.length
    return seqs
  }

  function startList(): void {
    const kept: number[] = []
    for (const seqs of seqsByTally.values()) {
      // The tally starts anew with its next batch.
      if (seqs.length >= LOG_TALLY_PATHS_MAX) seqs.length = 0
      for (const [place, seq] of seqs.entries()) seqs[place] = kept.push(seq) - 1
    }
    keptPaths = Uint32Array.from(kept)
    listed = kept.length
    begun = kept.length
  }

  function toSourceNo(source: string): number {
    if (!sources.includes(source)) sources.push(source)
    return sources.indexOf(source)
  }

  const isListFull = (): boolean => listed - begun >= LOG_CHUNK_PATHS_MAX || listed >= LOG_LIST_PATHS_MAX
  const hasRoom = (batch: LogBatch): boolean =>
    !isListFull() &&
    pathCharacters < LOG_CHUNK_PATH_CHARACTERS_MAX &&
    batch.hits.path.length <= hits.room &&
    batch.visits.path.length <= visits.room

  async function flush(): Promise<void> {
    if (hits.size === 0 && visits.size === 0) return
    await writer.write({ keptPaths, paths: newPaths, sources, hits: hits.take(), visits: visits.take() })
    keptPaths = undefined
    newPaths = []
    pathCharacters = 0
  }

  return {
    async add(batch) {
      if (!hasRoom(batch)) await flush()
      if (isListFull()) startList()
      const seqs = listPaths(batch)
      const toSeq = (place: number): number => seqs[place] ?? 0
      hits.add({ ...batch.hits, path: batch.hits.path.map(toSeq) })
      const sourceNos = Uint32Array.from(batch.sources, toSourceNo)
      const source = batch.visits.source.map((no) => sourceNos[no] ?? 0)
      visits.add({ ...batch.visits, path: batch.visits.path.map(toSeq), source })
    },
    flush,
  }
}
