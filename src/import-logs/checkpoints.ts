import { createHash } from 'node:crypto'
import type { Catalog } from '../catalog/catalog.ts'
import { LOG_ENDS_MAX, LOG_HEAD_BYTES, LOG_TAIL_BYTES } from '../log-limits.ts'

/** Where an import of a log stopped. */
export interface Checkpoint {
  /** Of the content, uncompressed. */
  readonly bytes: number
  readonly lines: number
  /** SHA-256, lower-case hex, of the LOG_TAIL_BYTES that end there. */
  readonly tailSha256: string
  /** What the reader goes on with; undefined for formats whose lines stand for themselves. */
  readonly state: string | undefined
}

/** A checkpoint of a log that begins as the one in question does; whether it is the same log, the tail tells. */
export interface Candidate extends Omit<Checkpoint, 'tailSha256'> {
  readonly tailSha256: string | undefined
  /** Of all `bytes`: what older versions noted instead of a tail. */
  readonly prefixSha256: string | undefined
  readonly headSha256: string
  /** Number of the import that read the log to there; null where that was not noted yet. */
  readonly importNo: number | null
}

/** How far the logs of a site were read (contract/logs 8), with what this call adds. */
export interface Checkpoints {
  /** Of logs that begin as `head` does, the longest first. `head` is the content's beginning of LOG_HEAD_BYTES_MAX, or all of it. */
  find(head: Buffer): readonly Candidate[]
  /**
   * Adds one, in the place of what an older version noted. Earlier ones stay, so that a copy made at one of them is
   * recognised when it comes later; of a log that was read in many steps the shortest are given up.
   */
  add(head: Buffer, to: Checkpoint, replaced?: Candidate): void
  /** Notes that lines are counted from there on, which holds while the import of that checkpoint stands. */
  goOnFrom(importNo: number | null): void
  /** Numbers of earlier imports that this one goes on from. */
  readonly continues: readonly number[]
  readonly hasChanged: boolean
  /** Stores what was added, inside the import's commit. */
  save(): void
}

interface Entry extends Candidate {
  /** In the catalog; undefined until it is stored. */
  readonly id: number | undefined
  readonly headBytes: number
}

/** `importNo` is the number of the import under way. */
export function openCheckpoints(catalog: Catalog, siteId: string, importNo: number): Checkpoints {
  const { imports } = catalog
  const continues = new Set<number>()
  const byHead = new Map<string, Entry[]>()
  const headLengths = new Set<number>()
  const given: Entry[] = []

  function put(entry: Entry): Entry[] {
    const entries = byHead.get(entry.headSha256) ?? []
    entries.push(entry)
    byHead.set(entry.headSha256, entries)
    headLengths.add(entry.headBytes)
    return entries
  }

  function give(entries: Entry[], entry: Entry): void {
    entries.splice(entries.indexOf(entry), 1)
    if (entry.id !== undefined) given.push(entry)
  }

  for (const stored of imports.listLogProgress(siteId)) {
    put({ ...stored, tailSha256: undefined, state: undefined, importNo: null })
  }
  for (const stored of imports.listLogCheckpoints(siteId)) {
    put({ ...stored, prefixSha256: undefined, state: stored.state ?? undefined })
  }
  let added: Entry[] = []

  return {
    find(head) {
      const lengths = Array.from(headLengths).filter((length) => length <= head.length)
      const entries = lengths.flatMap((length) => byHead.get(hashOf(head.subarray(0, length))) ?? [])
      return entries.sort((a, b) => b.bytes - a.bytes)
    },
    add(head, to, replaced) {
      const headBytes = Math.min(LOG_HEAD_BYTES, head.length, to.bytes)
      const entry = {
        ...to,
        id: undefined,
        prefixSha256: undefined,
        // What an older version read is none of this import's.
        importNo: replaced ? null : importNo,
        headBytes,
        headSha256: hashOf(head.subarray(0, headBytes)),
      }
      const olds = replaced && byHead.get(replaced.headSha256)
      const old = olds?.find((one) => one === replaced)
      if (olds && old) give(olds, old)
      const entries = put(entry)
      added.push(entry)
      const shortest = entries.toSorted((a, b) => a.bytes - b.bytes)[0]
      if (entries.length <= LOG_ENDS_MAX || !shortest) return
      give(entries, shortest)
      added = added.filter((one) => one !== shortest)
    },
    goOnFrom(from) {
      if (from !== null && from !== importNo) continues.add(from)
    },
    get continues() {
      return [...continues].sort((a, b) => a - b)
    },
    get hasChanged() {
      return added.length > 0
    },
    save() {
      for (const { id = 0, tailSha256 } of given) {
        if (tailSha256 === undefined) imports.removeLogProgress(id)
        else imports.giveUpLogCheckpoint(id, importNo)
      }
      for (const { headSha256, headBytes, bytes, tailSha256 = '', lines, state = null, importNo: ofImport } of added) {
        const known = { siteId, headSha256, headBytes, bytes, tailSha256, lines, state, importNo: ofImport }
        imports.addLogCheckpoint(known)
      }
    },
  }
}

/** The last bytes of a content that is read piece by piece. */
export class Tail {
  #bytes: Buffer

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = bytes
  }

  /** `chunk` may be used again afterwards. */
  push(chunk: Uint8Array): void {
    const newest = chunk.subarray(Math.max(0, chunk.length - LOG_TAIL_BYTES))
    const kept = this.#bytes.subarray(Math.max(0, this.#bytes.length + newest.length - LOG_TAIL_BYTES))
    this.#bytes = Buffer.concat([kept, newest])
  }

  /** As it is now. */
  copy(): Tail {
    return new Tail(this.#bytes)
  }

  get sha256(): string {
    return hashOf(this.#bytes)
  }

  /** Whether what follows goes on within a line. */
  get isWithinLine(): boolean {
    return this.#bytes.length > 0 && this.#bytes.at(-1) !== NEWLINE
  }
}

const NEWLINE = 0x0a

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
