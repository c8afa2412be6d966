import { createHash } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.ts'
import { LOG_ENDS_MAX, LOG_HEAD_BYTES } from '../../limits.ts'

/** A beginning of some log's content whose lines have been counted. */
export interface KnownPrefix {
  /** In bytes, uncompressed. */
  readonly bytes: number
  readonly sha256: string
  readonly lines: number
}

/** How far the logs of a site were read, known by their content (formats.md 3), with what this call adds. */
export interface KnownLogs {
  /** Prefixes of logs that begin as `head` does, the longest first. `head` is the content's beginning of LOG_HEAD_BYTES_MAX, or all of it. */
  findCandidates(head: Buffer): readonly KnownPrefix[]
  /**
   * Notes that the content was read up to `to`. Earlier ends stay known, so that a copy made at one of them is recognised
   * when it comes later; of a log that was read in many steps the shortest are given up.
   */
  advance(head: Buffer, to: KnownPrefix): void
  readonly hasChanged: boolean
  /** Stores what was noted, inside the import's commit. */
  save(): void
}

interface Entry extends KnownPrefix {
  readonly id: number | undefined
  readonly headBytes: number
  readonly headSha256: string
  readonly isChanged: boolean
}

export function openKnownLogs(catalog: Catalog, siteId: string): KnownLogs {
  const entries: Entry[] = catalog.imports.listLogProgress(siteId).map((stored) => ({
    id: stored.id,
    headBytes: stored.headBytes,
    headSha256: stored.headSha256,
    bytes: stored.bytes,
    sha256: stored.prefixSha256,
    lines: stored.lines,
    isChanged: false,
  }))

  return {
    findCandidates(head) {
      const hashes = new Map<number, string>()
      const isHead = ({ headBytes, headSha256 }: Entry): boolean => {
        if (headBytes > head.length) return false
        const hash = hashes.get(headBytes) ?? hashOf(head.subarray(0, headBytes))
        hashes.set(headBytes, hash)
        return hash === headSha256
      }
      return entries.filter(isHead).sort((a, b) => b.bytes - a.bytes)
    },
    advance(head, to) {
      const headBytes = Math.min(LOG_HEAD_BYTES, head.length, to.bytes)
      const headSha256 = hashOf(head.subarray(0, headBytes))
      const ends = entries.filter((entry) => entry.headSha256 === headSha256).sort((a, b) => a.bytes - b.bytes)
      const given = ends.length < LOG_ENDS_MAX ? undefined : ends[0]
      if (given) entries.splice(entries.indexOf(given), 1)
      entries.push({ ...to, id: given?.id, headBytes, headSha256, isChanged: true })
    },
    get hasChanged() {
      return entries.some(({ isChanged }) => isChanged)
    },
    save() {
      for (const { id, headBytes, headSha256, bytes, sha256, lines, isChanged } of entries) {
        if (!isChanged) continue
        catalog.imports.saveLogProgress({ id, siteId, headBytes, headSha256, bytes, prefixSha256: sha256, lines })
      }
    },
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
