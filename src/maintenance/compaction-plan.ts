import type { LakeFile } from '../domain/manifest.ts'
import { COMPACTION_FILE_BYTES, COMPACTION_FILES_MAX } from '../limits.ts'

/**
 * Groups of a partition's files that are to be merged into one file each, in the order of their days; none when it has no
 * more than `filesMax`. Afterwards there are at most COMPACTION_FILES_MAX files, of COMPACTION_FILE_BYTES or, where that
 * doesn't do, all of about one size. A file that fills a group alone isn't touched, unless it is outdated: such a one is
 * written anew however few there are.
 */
export function planCompaction(
  files: readonly LakeFile[],
  filesMax: number,
  isOutdated: (file: LakeFile) => boolean = () => false,
): LakeFile[][] {
  if (files.length <= filesMax && !files.some(isOutdated)) return []
  const bytesMax = Math.max(COMPACTION_FILE_BYTES, sumBytes(files) / COMPACTION_FILES_MAX)
  const groups = fill(files.toSorted(byDay), bytesMax)
  while (groups.length > COMPACTION_FILES_MAX) joinSmallestPair(groups)
  return groups.filter((group) => group.length > 1 || group.some(isOutdated))
}

/** A file goes to the one before it as long as both together stay below the bytes. */
function fill(files: readonly LakeFile[], bytesMax: number): LakeFile[][] {
  const groups: LakeFile[][] = []
  for (const file of files) {
    const last = groups.at(-1)
    if (last && sumBytes(last) + file.bytes <= bytesMax) last.push(file)
    else groups.push([file])
  }
  return groups
}

function joinSmallestPair(groups: LakeFile[][]): void {
  const sizes = groups.map(sumBytes)
  const pairs = sizes.slice(1).map((size, index) => size + (sizes[index] ?? 0))
  const first = pairs.indexOf(Math.min(...pairs))
  const [group = [], next = []] = groups.slice(first, first + 2)
  groups.splice(first, 2, [...group, ...next])
}

function byDay(a: LakeFile, b: LakeFile): number {
  return (
    compare(a.minDay ?? '', b.minDay ?? '') || compare(a.maxDay ?? '', b.maxDay ?? '') || compare(a.fileId, b.fileId)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function sumBytes(files: readonly LakeFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0)
}
