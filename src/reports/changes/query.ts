import { OWN_BRAND } from '../../domain/brand.ts'
import type { Row } from '../../lake/cells.ts'
import { loadStudentT } from '../../statistics/student-t.ts'
import { toGroupFields } from '../answer-slices.ts'
import { toTyped } from '../contract.ts'
import type { Walk } from '../cursor.ts'
import { listMeasured } from '../measured-brands.ts'
import { type ReportContext, type ReportRun, runComputedReport, type SiteState } from '../run.ts'
import { readCells, selectCells } from './cells.ts'
import { type ChangeRow, CHANGES, type ChangesRequest } from './contract.ts'
import { isCommon } from './estimate.ts'
import { selectEngines, toNotes } from './notes.ts'
import { type Changed, toRows } from './rows.ts'

/**
 * `POST /v1/reports/changes` (contract/api 5.14 and 12.5). Throws ApiError `invalid_request` for a brand that the site
 * doesn't have and for too much at once, and what `runReport` throws.
 */
export function reportChanges(
  context: ReportContext,
  siteId: string,
  request: ChangesRequest,
  walk?: Walk,
): ReportRun<ChangeRow> {
  const compared = { start_date: request.compare_start_date, end_date: request.compare_end_date }
  return runComputedReport(context, {
    endpoint: CHANGES.name,
    siteId,
    request,
    compared,
    walk,
    datasets: ['answers', 'mentions', 'citations', 'hosts'],
    variant: (state) => listMeasured(state, request.brands).map((brand) => [brand.brandNo, brand.asked]),
    readAll: async (state) => readAll(context, state, request),
    toInfo: (first) => ({
      compare_start_date: compared.start_date,
      compare_end_date: compared.end_date,
      excluded_cells: Number(first['excluded_cells']),
      notes: JSON.parse(String(first['notes'])) as string[],
    }),
    toRow: (row) => toRow(row, request),
  })
}

async function readAll({ lake }: ReportContext, state: SiteState, request: ChangesRequest): Promise<readonly Row[]> {
  const brands = listMeasured(state, request.brands)
  const cells = readCells(await lake.select(selectCells(state, request, brands)))
  const notes = toNotes(await lake.select(selectEngines(state, request)), request)
  // Cells are the same for each brand.
  const [{ brandNo } = { brandNo: OWN_BRAND }] = cells
  const excluded = cells.filter((cell) => cell.brandNo === brandNo && !isCommon(cell)).length
  const rows = toRows(cells, request, { prompts: state.prompts, brands }, await loadStudentT())
  return [{ excluded_cells: excluded, notes: JSON.stringify(notes) }, ...rows.map(flatten)]
}

/** A row as the cache keeps it. */
function flatten({ platform, prompt, category, brand, ...estimated }: Changed): Row {
  return {
    platform: platform ?? null,
    prompt_id: prompt?.id ?? null,
    prompt_text: prompt?.text ?? null,
    category: category ?? null,
    brand_name: brand.name,
    owned: brand.brandNo === OWN_BRAND,
    ...estimated,
  }
}

function toRow(row: Row, { group_by }: ChangesRequest): ChangeRow {
  return toTyped(CHANGES, {
    ...toGroupFields(row, group_by),
    brand: { name: row['brand_name'], owned: row['owned'] },
    ...Object.fromEntries(MEASURES.map((name) => [name, row[name]])),
  })
}

const MEASURES = ['value', 'previous', 'change', 'low', 'high', 'p', 'q', 'verdict', 'cells', 'excluded'] as const
