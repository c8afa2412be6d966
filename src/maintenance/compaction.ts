import { type ChangeContext, BusyError, changeLake } from '../change/change-lake.ts'
import type { Dataset, LakeFile, PartitionMonth } from '../domain/manifest.ts'
import { ApiError } from '../errors.ts'
import { isOutdated } from '../lake/datasets.ts'
import { DamagedFileError } from '../lake/maintain/ensure-sound.ts'
import { mergeFiles } from '../lake/maintain/file-merge.ts'
import { planCompaction } from './compaction-plan.ts'
import { findGroup, toPartitions } from './partitions.ts'

export interface CompactionOptions {
  /** All sites without it. */
  readonly siteId?: string
  /**
   * Merges all that can be merged and writes files of older versions anew; without it only what has too many files, and
   * nothing that would have to wait.
   */
  readonly isThorough: boolean
  /** Begins no further step after this many milliseconds. */
  readonly budgetMs?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CompactionProgress) => void
  readonly onWait?: () => void
}

export interface CompactionProgress {
  readonly doneBytes: number
  readonly totalBytes: number
}

/** Files of one data set, site and month that became one. */
export interface Merged {
  readonly site_id: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  readonly files: number
  readonly rows: number
  readonly bytes_before: number
  readonly bytes_after: number
}

export interface CompactionResult {
  readonly merged: readonly Merged[]
  /** What could not be merged, each in a sentence; the files stay as they are. */
  readonly failures: readonly string[]
}

/**
 * Merges small files, one commit a group, so that a month that is over has at most four files a data set. Imports and
 * readers go on meanwhile: imports only add files, and readers of older snapshots find the merged ones until they are
 * collected. A damaged file leaves its month as it is; the others are still merged.
 */
export async function compactLake(context: ChangeContext, options: CompactionOptions): Promise<CompactionResult> {
  const merged: Merged[] = []
  const failures: string[] = []
  const steps = listSteps(context, options)
  const totalBytes = steps.reduce((sum, step) => sum + sumBytes(step.files), 0)
  const startedMs = performance.now()
  let doneBytes = 0
  for (const step of steps) {
    options.signal?.throwIfAborted()
    if (performance.now() - startedMs > (options.budgetMs ?? Number.POSITIVE_INFINITY)) break
    try {
      const done = await mergeStep(context, step, options)
      if (done) merged.push(done)
    } catch (error) {
      if (error instanceof BusyError && !options.isThorough) break
      if (!(error instanceof DamagedFileError) && !(error instanceof ApiError)) throw error
      failures.push(error.message)
    }
    doneBytes += sumBytes(step.files)
    options.onProgress?.({ doneBytes, totalBytes })
  }
  return { merged, failures }
}

interface Step {
  readonly siteId: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  readonly files: readonly LakeFile[]
}

function listSteps({ catalog, clock }: ChangeContext, { siteId: only, isThorough }: CompactionOptions): Step[] {
  const { manifest } = catalog
  return catalog.sites
    .list()
    .filter(({ id }) => only === undefined || id === only)
    .flatMap(({ id }) => toPartitions(manifest.listFiles(id, manifest.currentSnapshot(id)), clock))
    .flatMap((partition) => {
      const { siteId, dataset, month, filesMax } = partition
      const groups = isThorough
        ? planCompaction(partition.files, 1, isOutdated)
        : planCompaction(partition.files, filesMax)
      return groups.map((files) => ({ siteId, dataset, month, files }))
    })
}

/** Undefined when the files were replaced by somebody else since the step was planned. */
async function mergeStep(
  context: ChangeContext,
  { siteId, dataset, month, files }: Step,
  { isThorough, signal, onWait }: CompactionOptions,
): Promise<Merged | undefined> {
  return changeLake(
    context,
    {
      site: { id: siteId },
      group: findGroup(dataset),
      kind: 'compaction',
      waits: isThorough,
      ...(signal ? { signal } : {}),
      ...(onWait ? { onWait } : {}),
    },
    async (change) => {
      const live = new Set(change.files.map(({ fileId }) => fileId))
      if (!files.every(({ fileId }) => live.has(fileId))) return undefined
      const { staging } = change
      const file = await mergeFiles({
        staging,
        lakeDir: context.lakeDir,
        dataset,
        month,
        files,
        ...(signal ? { signal } : {}),
      })
      await change.commit(
        () => undefined,
        files.map(({ fileId }) => fileId),
      )
      return {
        site_id: siteId,
        dataset,
        month,
        files: files.length,
        rows: file.rows,
        bytes_before: sumBytes(files),
        bytes_after: file.bytes,
      }
    },
  )
}

function sumBytes(files: readonly LakeFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0)
}
