import { monthOf, toDay } from '../domain/day.ts'
import { DATASET_GROUPS, type DatasetGroup } from '../change/dataset-groups.ts'
import { type Clock } from '../clock.ts'
import type { Dataset, LakeFile, PartitionMonth } from '../domain/manifest.ts'
import { COMPACTION_FILES_MAX, COMPACTION_OPEN_FILES_MAX } from '../limits.ts'

/** The files of one site, data set and month. */
export interface Partition {
  readonly siteId: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  readonly files: readonly LakeFile[]
  /** Files that may stand beside each other: more while new ones still come, in this month and in dictionaries. */
  readonly filesMax: number
}

/** The partitions of files of one site, by data set and month. */
export function toPartitions(files: readonly LakeFile[], clock: Clock): Partition[] {
  const currentMonth = monthOf(toDay(clock.now()))
  return [...Map.groupBy(files, ({ dataset, month }) => `${dataset} ${month}`).values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { siteId, dataset, month } = first
    const isOpen = month === currentMonth || month === 'all'
    const filesMax = isOpen ? COMPACTION_OPEN_FILES_MAX : COMPACTION_FILES_MAX
    return [{ siteId, dataset, month, files: group, filesMax }]
  })
}

/** The group of data sets that a data set changes with. */
export function findGroup(dataset: Dataset): DatasetGroup {
  const datasets: readonly Dataset[] = DATASET_GROUPS.answers
  return datasets.includes(dataset) ? 'answers' : 'logs'
}
