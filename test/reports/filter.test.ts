import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { seededRandom } from '../../data/demo/generator/random.ts'
import { CATEGORIES, ENGINE_IDS, OWNERS, SOURCE_KINDS } from '../../src/domain/enums.ts'
import { openLake } from '../../src/lake/lake.ts'
import { join as joinSql, type Sql, sql, texts } from '../../src/lake/sql.ts'
import { type FilterFields, toPredicate } from '../../src/reports/filter.ts'
import type { Filter } from '../../src/reports/request.ts'
import { passes } from '../support/oracle/filter.ts'
import { makeWorld, MODELS, PROVIDERS } from '../support/oracle/world.ts'
import { CITATION_FILTER, HOSTILE, makeNested } from './support/requests.ts'

const FILTERS = 1_500
const FILTERS_A_QUERY = 25
const ROWS = 120

const dir = mkdtempSync(join(tmpdir(), 'answerlake-filter-'))
const limits = {
  threads: 2,
  memoryMib: 512,
  spillGib: 1,
  runningMax: 1,
  waitingMax: 0,
  waitMsMax: 1_000,
  timeoutMs: 60_000,
}
const lake = openLake({ dir, spillDir: join(dir, 'spill'), ...limits })
afterAll(async () => {
  await lake.close()
  rmSync(dir, { recursive: true })
})

const FIELDS: FilterFields = {
  platform: { column: sql`platform` },
  prompt: { column: sql`prompt_text`, id: sql`prompt_id` },
  category: { column: sql`category` },
  domain: { column: sql`domain` },
  owner: { column: sql`owner` },
  source_kind: { column: sql`source_kind` },
  model: { column: sql`model_name`, mayBeEmpty: true },
  provider: { column: sql`provider_name`, mayBeEmpty: true },
}

const world = makeWorld('filter', { share: 0 })
const random = seededRandom('filter rows')
const rows = Array.from({ length: ROWS }, (_, index) => {
  const prompt = random.pick(world.prompts)
  const nasty = HOSTILE[index % HOSTILE.length]!
  return {
    platform: random.pick(ENGINE_IDS),
    prompt_id: random.pick([prompt.id, nasty]),
    prompt_text: random.pick([prompt.text, nasty, `${prompt.text}${nasty}`]),
    category: random.pick(CATEGORIES),
    domain: random.pick(['rival.com', 'acme.co.uk', 'RIVAL.com', 'blaabaer.github.io', '203.0.113.7', nasty]),
    owner: random.pick(OWNERS),
    source_kind: random.pick(SOURCE_KINDS),
    model_name: random.pick(['', ...MODELS]),
    provider_name: random.pick(['', ...PROVIDERS]),
  }
})

it(`a filter holds in SQL where it holds in a loop, for ${FILTERS} filters with values that break what is pasted together`, async () => {
  const filters = Array.from({ length: FILTERS }, (_, index) => {
    const chance = seededRandom(`filter ${index}`)
    return makeNested(chance, world, CITATION_FILTER, chance.between(1, 5))
  })
  const different: string[] = []
  for (let start = 0; start < FILTERS; start += FILTERS_A_QUERY) {
    const some = filters.slice(start, start + FILTERS_A_QUERY)
    const found = await judge(some)
    for (const [index, filter] of some.entries()) {
      rows.forEach((row, rowNo) => {
        const expected = passes(filter, {
          ...row,
          prompt: [row.prompt_text, row.prompt_id],
          model: row.model_name || null,
          provider: row.provider_name || null,
        })
        if (found[rowNo]?.[index] !== expected)
          different.push(`${JSON.stringify(filter)} on ${JSON.stringify(row)}: not ${expected}`)
      })
    }
  }
  expect(different.slice(0, 5)).toEqual([])
}, 120_000)

it('each operator that begins with not_ is the exact complement of the other', async () => {
  const pairs = ['is', 'in', 'contains', 'contains_case_insensitive'].flatMap((op) =>
    HOSTILE.map((text): [Filter, Filter] => {
      const value = op === 'in' ? [text, 'p.10'] : text
      return [{ field: 'prompt', op, value } as Filter, { field: 'prompt', op: `not_${op}`, value } as Filter]
    }),
  )
  const found = await judge(pairs.flat())
  expect(found.every((row) => pairs.every((_, index) => row[2 * index] === !row[2 * index + 1]))).toBe(true)
})

/** For each row what each filter says of it, as DuckDB has it. */
async function judge(filters: readonly Filter[]): Promise<boolean[][]> {
  const names = [
    'platform',
    'prompt_id',
    'prompt_text',
    'category',
    'domain',
    'owner',
    'source_kind',
    'model_name',
    'provider_name',
  ] as const
  const column: Record<(typeof names)[number], Sql> = {
    platform: sql`platform`,
    prompt_id: sql`prompt_id`,
    prompt_text: sql`prompt_text`,
    category: sql`category`,
    domain: sql`domain`,
    owner: sql`owner`,
    source_kind: sql`source_kind`,
    model_name: sql`model_name`,
    provider_name: sql`provider_name`,
  }
  const lists = names.map((name) => sql`unnest(${texts(rows.map((row) => row[name]))}) AS ${column[name]}`)
  const judged = await lake.select(sql`
    WITH given AS (SELECT unnest(range(${texts(rows.map(() => ''))}.len())) AS row_no, ${joinSql(lists, sql`, `)})
    SELECT array_to_string([${joinSql(
      filters.map((filter) => sql`CASE WHEN ${toPredicate(filter, FIELDS)} THEN 'y' ELSE 'n' END`),
      sql`, `,
    )}], '') AS held
    FROM given ORDER BY row_no`)
  return judged.map(({ held }) => Array.from(String(held), (letter) => letter === 'y'))
}
