import { createPageTypeMatcher } from '../../derive/page-types.ts'
import { PAGE_TYPES } from '../../domain/enums.ts'
import type { LogWriter } from '../../lake/log-writer.ts'
import { LOG_CHUNK_PATH_CHARACTERS_MAX, LOG_CHUNK_PATHS_MAX, LOG_CHUNK_ROWS_MAX } from '../../limits.ts'
import type { PageTypeRule } from '../../reference/page-types.ts'
import type { LogBatch } from './log-batch.ts'
import { RowStore } from './row-store.ts'

/** Gathers what batches hold and hands it to the writer, chunk by chunk. */
export interface LogCollector {
  add(batch: LogBatch): Promise<void>
  /** Hands over what is left. */
  flush(): Promise<void>
}

/** `pageTypeRules` are the site's own; they give paths that the site doesn't have yet their type. */
export function createLogCollector(writer: LogWriter, pageTypeRules: readonly PageTypeRule[]): LogCollector {
  const pageTypes = createPageTypeMatcher(pageTypeRules)
  const hits = new RowStore(['path', 'time', 'bot', 'verification', 'error'], LOG_CHUNK_ROWS_MAX)
  const visits = new RowStore(['path', 'time', 'source'], LOG_CHUNK_ROWS_MAX)
  const sources: string[] = []
  const named = new Map<number, NamedPaths>()
  const paths = new Map<string, number>()
  let newPaths: string[] = []
  let pathCharacters = 0

  function toPathSeq({ texts, seqs }: NamedPaths, place: number): number {
    const seq = seqs[place] ?? -1
    if (seq !== -1) return seq
    const path = texts[place] ?? ''
    const known = paths.get(path)
    seqs[place] = known ?? paths.size
    if (known !== undefined) return known
    paths.set(path, paths.size)
    newPaths.push(path)
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

  const isFull = (): boolean => paths.size >= LOG_CHUNK_PATHS_MAX || pathCharacters >= LOG_CHUNK_PATH_CHARACTERS_MAX

  /** Adds a batch's rows; paths get their place in the list where one first needs them. */
  async function addRows<C extends string>(
    store: RowStore<C>,
    rows: Readonly<Record<C | 'path', Uint32Array>>,
    names: NamedPaths,
  ): Promise<void> {
    for (let start = 0; start < rows.path.length;) {
      if (store.room === 0 || isFull()) await flush()
      // No row brings more than one path.
      const end = Math.min(rows.path.length, start + Math.min(store.room, LOG_CHUNK_PATHS_MAX - paths.size))
      const part = Object.entries<Uint32Array>(rows).map(
        ([name, column]) => [name, column.subarray(start, end)] as const,
      )
      const cut = Object.fromEntries(part) as Record<C | 'path', Uint32Array>
      store.add({ ...cut, path: cut.path.map((place) => toPathSeq(names, place)) })
      start = end
    }
  }

  async function flush(): Promise<void> {
    if (hits.size === 0 && visits.size === 0) return
    await writer.write({
      paths: newPaths.values().map((path) => ({ path, pageTypeNo: PAGE_TYPES.indexOf(pageTypes.find(path)) + 1 })),
      pathsBefore: paths.size - newPaths.length,
      sources,
      hits: hits.take(),
      visits: visits.take(),
    })
    newPaths = []
    if (!isFull()) return
    paths.clear()
    pathCharacters = 0
    for (const { seqs } of named.values()) seqs.fill(-1)
  }

  return {
    async add(batch) {
      const names = nameAll(batch)
      await addRows(hits, batch.hits, names)
      const sourceNos = Uint32Array.from(batch.sources, toSourceNo)
      const source = batch.visits.source.map((no) => sourceNos[no] ?? 0)
      await addRows(visits, { ...batch.visits, source }, names)
    },
    flush,
  }
}

/** Paths as a tally has named them, and their places in the list of paths, -1 where they have none yet. */
interface NamedPaths {
  readonly texts: string[]
  readonly seqs: number[]
}
