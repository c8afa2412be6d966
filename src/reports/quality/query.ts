import { OWN_BRAND } from '../../domain/brand.ts'
import { dayCount } from '../../domain/day.ts'
import { day, integer, type Sql, sql } from '../../lake/sql.ts'
import type { Row } from '../../lake/cells.ts'
import { digestRequest } from '../cursor.ts'
import type { Days } from '../request.ts'
import { readRows, type ReportContext, type SiteState } from '../run.ts'
import { type Grade, gradeOf, leastOf } from './grades.ts'
import { measureReproducibility } from './samples.ts'

interface Graded {
  readonly value: number
  readonly grade: Grade
}

/** What a measurement can carry, as contract/api 8.3 has it. */
export interface Quality {
  /** The least of all others. */
  readonly grade: Grade
  readonly prompts: Graded
  readonly answers_per_cell_week: Graded
  readonly categories: Graded
  readonly days: Graded
  readonly engines: Graded
  readonly reproducibility: { readonly agreement: number; readonly noise_floor: number; readonly grade: Grade } | null
}

/** Prompts with which a category counts. */
const CATEGORY_PROMPTS_MIN = 5

/** The quality of a site's measurement on these days (contract/api 8.3). Throws what `Lake` throws. The site must exist. */
export async function measureQuality(context: ReportContext, siteId: string, days: Days): Promise<Quality> {
  const { start_date, end_date } = days
  const request = { start_date, end_date }
  const digest = digestRequest('quality', { site_id: siteId, ...request })
  const source = { endpoint: 'quality', siteId, request, datasets: ['answers', 'no_answers', 'mentions'] } as const
  const { rows } = await readRows(
    context,
    source,
    { digest, position: undefined },
    {
      key: [],
      read: async (state) => [await measure(context, state, request)],
    },
  )
  return toQuality(rows[0] ?? {})
}

async function measure({ lake }: ReportContext, state: SiteState, days: Days): Promise<Row> {
  const [totals = {}] = await lake.select(selectTotals(state, days))
  const promptNos = JSON.parse(String(totals['prompts'] ?? '[]')) as number[]
  const samples = await lake.select(selectSamples(state, days))
  const found = await measureReproducibility(
    samples.map(({ answers, named, count }) => ({
      answers: Number(answers),
      named: Number(named),
      count: Number(count),
    })),
  )
  const categoryOf = new Map(state.prompts.map(({ promptNo, category }) => [promptNo, category]))
  const categories = [...Map.groupBy(promptNos, (promptNo) => categoryOf.get(promptNo)).values()]
  return {
    prompts: promptNos.length,
    answers_per_cell_week: Number(totals['answers_per_cell_week'] ?? 0),
    categories: categories.filter((prompts) => prompts.length >= CATEGORY_PROMPTS_MIN).length,
    days: Number(totals['days']) / dayCount(days.start_date, days.end_date),
    engines: Number(totals['engines']),
    agreement: found?.agreement ?? null,
    noise_floor: found?.noiseFloor ?? null,
  }
}

const inRange = ({ start_date, end_date }: Days): Sql => sql`day BETWEEN ${day(start_date)} AND ${day(end_date)}`

function selectTotals(state: SiteState, days: Days): Sql {
  return sql`
WITH
  weeks AS (
    SELECT prompt_no, platform_no, date_trunc('week', day) AS week, count(*) AS answers
    FROM ${state.filesOf('answers')}
    WHERE ${inRange(days)}
    GROUP BY ALL
  ),
  scanned AS (
    SELECT day FROM ${state.filesOf('answers')} WHERE ${inRange(days)}
    UNION
    SELECT day FROM ${state.filesOf('no_answers')} WHERE ${inRange(days)}
  )
SELECT
  list(DISTINCT prompt_no)::JSON::VARCHAR AS prompts,
  count(DISTINCT platform_no) AS engines,
  median(answers)::DOUBLE AS answers_per_cell_week,
  (SELECT count(*) FROM scanned) AS days
FROM weeks`
}

function selectSamples(state: SiteState, days: Days): Sql {
  return sql`
WITH
  asked AS (
    SELECT prompt_no, platform_no, day, count(*) AS answers
    FROM ${state.filesOf('answers')}
    WHERE ${inRange(days)}
    GROUP BY ALL
    HAVING count(*) > 1
  ),
  naming AS (
    SELECT prompt_no, platform_no, day, count(*) AS named
    FROM ${state.filesOf('mentions')}
    WHERE ${inRange(days)} AND brand_no = ${integer(OWN_BRAND)}
    GROUP BY ALL
  )
SELECT answers, coalesce(named, 0) AS named, count(*) AS count
FROM asked LEFT JOIN naming USING (prompt_no, platform_no, day)
GROUP BY ALL`
}

function toQuality(row: Row): Quality {
  const graded = (name: 'prompts' | 'answers_per_cell_week' | 'categories' | 'days' | 'engines'): Graded => {
    const value = Number(row[name])
    return { value, grade: gradeOf(name, value) }
  }
  const measured = {
    prompts: graded('prompts'),
    answers_per_cell_week: graded('answers_per_cell_week'),
    categories: graded('categories'),
    days: graded('days'),
    engines: graded('engines'),
  }
  const reproducibility = toReproducibility(row)
  const all = [...Object.values(measured), ...(reproducibility === null ? [] : [reproducibility])]
  return { grade: leastOf(all.map(({ grade }) => grade)), ...measured, reproducibility }
}

function toReproducibility({ agreement, noise_floor }: Row): Quality['reproducibility'] {
  if (typeof agreement !== 'number' || typeof noise_floor !== 'number') return null
  const grade = leastOf([gradeOf('agreement', agreement), gradeOf('noise_floor', noise_floor)])
  return { agreement, noise_floor, grade }
}
