import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import type { DatasetGroup } from '../change/dataset-groups.ts'
import type { Dataset, LakeFile, PartitionMonth } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { deleteReplacedFiles } from './file-deletion.ts'
import type { GroupOutcome, GroupRepair, RepairOptions } from './group-repair.ts'
import { findGroup } from './partitions.ts'
import { repairAnswerFiles } from './repair-answers.ts'
import { repairLogFiles } from './repair-logs.ts'

export interface DroppedFile {
  readonly path: string
  readonly site_id: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  readonly first_day: string | null
  readonly last_day: string | null
  readonly rows: number
}

export interface RepairResult extends GroupOutcome {
  readonly dropped: readonly DroppedFile[]
}

/**
 * Gives files up on purpose, in one change that leaves the others right: rows that depend on lost ones go too, what can be
 * derived from what is left is derived again. Throws CommandError for a file that isn't of this lake, and when another
 * file that is needed is damaged as well.
 */
export async function repairLake(context: ChangeContext, options: RepairOptions): Promise<RepairResult> {
  const { catalog } = context
  const paths = new Set(options.files.map((file) => toLakePath(context, file)))
  const live = catalog.read(() =>
    catalog.sites.list().flatMap(({ id }) => catalog.manifest.listFiles(id, catalog.manifest.currentSnapshot(id))),
  )
  const found = live.filter(({ path }) => paths.has(path))
  const replaced = catalog.manifest.listRetired().filter(({ path }) => paths.has(path))
  const known = new Set([...found, ...replaced].map(({ path }) => path))
  for (const path of paths)
    if (!known.has(path))
      throw new CommandError(
        `${path} is no file of this lake. \`answerlake lake verify\` names those that are damaged or missing; delete foreign ones yourself.`,
      )

  const outcome = await giveUp(context, found, options)
  // Nobody can read what is lost, so no cursor may lead to it.
  if (!options.isDryRun) await forget(context, [...found, ...replaced])
  return { dropped: [...found, ...replaced].map(toDroppedFile), ...outcome }
}

async function giveUp(
  context: ChangeContext,
  files: readonly LakeFile[],
  options: RepairOptions,
): Promise<GroupOutcome> {
  const [first] = files
  if (!first) return { lost: [], rebuilt: [], snapshot: null }
  const group: DatasetGroup = findGroup(first.dataset)
  if (files.some((file) => file.siteId !== first.siteId || findGroup(file.dataset) !== group)) {
    throw new CommandError(
      'The files are of several sites, or of answers and of logs. Drop those of one site and kind at a time.',
    )
  }
  const given = new Set(files.map(({ fileId }) => fileId))
  const repair: GroupRepair = { site: { id: first.siteId }, isDropped: ({ fileId }) => given.has(fileId), options }
  return group === 'answers' ? repairAnswerFiles(context, repair) : repairLogFiles(context, repair)
}

async function forget(context: ChangeContext, files: readonly LakeFile[]): Promise<void> {
  try {
    await deleteReplacedFiles(context, files)
  } catch (error) {
    throw toStorageError(
      error,
      `The data directory (${dirname(context.lakeDir)})`,
      'The files were given up; what was not deleted yet is deleted the next time.',
    )
  }
}

/** A path relative to the lake, also for one that was typed with the data directory, or from where the operator stands. */
function toLakePath({ lakeDir }: ChangeContext, file: string): string {
  const lake = resolve(lakeDir)
  const absolute = isAbsolute(file) || resolve(file).startsWith(lake + sep) ? resolve(file) : join(lake, file)
  return relative(lake, absolute).replaceAll(sep, '/')
}

function toDroppedFile({ path, siteId, dataset, month, minDay, maxDay, rows }: LakeFile): DroppedFile {
  return { path, site_id: siteId, dataset, month, first_day: minDay, last_day: maxDay, rows }
}
