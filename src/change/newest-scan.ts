import type { ScanEntry } from '../catalog/scans.ts'
import type { Change, ChangeContext } from './change-lake.ts'
import { readNewestScanOfFiles } from '../lake/maintain/answer-repair.ts'
import { getEngineId } from '../reference/engines.ts'

/** What the newest day brought among the records that a change leaves which removes these `fileId`s; for `scans.replace`. */
export async function readScanWithout(
  { lakeDir }: ChangeContext,
  change: Change,
  removed: ReadonlySet<string>,
): Promise<ScanEntry[]> {
  const scan = await readNewestScanOfFiles(
    lakeDir,
    change.filesWithout(removed).filter(({ dataset }) => dataset === 'answers' || dataset === 'no_answers'),
    change.staging.spillDir,
  )
  return scan.map(({ platformNo, ...entry }) => ({ ...entry, platform: getEngineId(platformNo) }))
}
