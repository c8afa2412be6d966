import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

// How rows of logs may know their import: a log imported each hour for 30 days, with a column that names the import in the
// hits alone, with one in the sums too, and as files that are not merged. Rows, bytes, and the time of two questions.
const HOURS = 30 * 24
const HITS_AN_HOUR = Number(process.argv[2] ?? 4_000)
const RUNS = 15

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const connection = await instance.connect()

const KEYS = 'day, path_no, bot_no, verification_no, quarter'
const SUM = 'sum(hits)::INTEGER AS hits, sum(error_hits)::INTEGER AS error_hits, max(last_second) AS last_second'
/** Data sets by their keys; the months have no quarter. */
const SUMS: Readonly<Record<string, string>> = {
  bot_rollup: 'day, bot_no, verification_no, quarter',
  bot_months: 'month, path_no, bot_no, verification_no',
}

/** Writes the hits and their sums, in one file each, or with `perImport` in one an import. */
async function write(name: string, { inHits, inSums, perImport }: Layout): Promise<void> {
  mkdirSync(join(dir, name))
  const toFile = (dataset: string, no?: number): string =>
    join(dir, name, `${dataset}${no === undefined ? '' : `-${no}`}.parquet`)
  for (const no of perImport ? Array.from({ length: HOURS }, (_, hour) => hour) : [undefined]) {
    const source = no === undefined ? 'hits' : `(FROM hits WHERE import_no = ${no})`
    const order = no === undefined ? `import_no, ${KEYS}` : KEYS
    const columns = inHits ? '* EXCLUDE (month)' : '* EXCLUDE (month, import_no)'
    await copy(`SELECT ${columns} FROM ${source} ORDER BY ${order}`, toFile('bot_hits', no))
    for (const [dataset, keys] of Object.entries(SUMS)) {
      const grouped = inSums ? `${keys}, import_no` : keys
      await copy(`SELECT ${grouped}, ${SUM} FROM ${source} GROUP BY ${grouped} ORDER BY ${keys}`, toFile(dataset, no))
    }
  }
}

interface Layout {
  readonly inHits: boolean
  readonly inSums: boolean
  readonly perImport: boolean
}

const copy = (select: string, path: string) =>
  connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`)

async function countRows(name: string, dataset: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM '${join(dir, name, dataset)}*.parquet'`)
  return Number(reader.value(0, 0))
}

/** The median in milliseconds. */
async function time(of: DuckDBConnection, query: string): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const startedMs = performance.now()
    await of.runAndReadAll(query)
    times.push(performance.now() - startedMs)
  }
  return Number(times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]?.toFixed(1))
}

try {
  await connection.run('SELECT setseed(0.42)')
  await connection.run(`
    CREATE TABLE drawn AS
    SELECT
      h::INTEGER AS import_no, DATE '2026-10-01' + (h // 24)::INTEGER AS day, DATE '2026-10-01' AS month,
      (1 + floor(pow(random(), 3) * 5000))::INTEGER AS path_no, (1 + floor(pow(random(), 2) * 25))::SMALLINT AS bot_no,
      floor(random() * 2)::SMALLINT AS verification_no, (h % 24 * 4 + floor(random() * 4))::SMALLINT AS quarter,
      (random() < 0.05)::INTEGER AS error_hits, floor(random() * 900)::SMALLINT AS last_second
    FROM range(${HOURS}) AS t(h), range(${HITS_AN_HOUR})`)
  await connection.run(`
    CREATE TABLE hits AS
    SELECT import_no, month, ${KEYS}, count(*)::INTEGER AS hits, sum(error_hits)::INTEGER AS error_hits,
      max(last_second) AS last_second
    FROM drawn GROUP BY ALL`)
  const layouts: Readonly<Record<string, Layout>> = {
    none: { inHits: false, inSums: false, perImport: false },
    column_in_hits: { inHits: true, inSums: false, perImport: false },
    column_in_all: { inHits: true, inSums: true, perImport: false },
    files_not_merged: { inHits: false, inSums: false, perImport: true },
  }
  for (const [name, layout] of Object.entries(layouts)) {
    await write(name, layout)
    const files = readdirSync(join(dir, name))
    const sizeOf = (dataset: string): number =>
      files
        .filter((file) => file.startsWith(dataset))
        .reduce((sum, file) => sum + statSync(join(dir, name, file)).size, 0)
    const kib = (dataset: string): number => Math.round(sizeOf(dataset) / 1_024)
    const of = (dataset: string): string => `'${join(dir, name, dataset)}*.parquet'`
    console.log(
      JSON.stringify({
        name,
        files: files.length,
        rows: {
          bot_hits: await countRows(name, 'bot_hits'),
          bot_rollup: await countRows(name, 'bot_rollup'),
          bot_months: await countRows(name, 'bot_months'),
        },
        kib: { bot_hits: kib('bot_hits'), bot_rollup: kib('bot_rollup'), bot_months: kib('bot_months') },
        by_date_ms: await time(connection, `SELECT day, bot_no, sum(hits) FROM ${of('bot_rollup')} GROUP BY ALL`),
        by_path_ms: await time(
          connection,
          `SELECT path_no, sum(hits) AS hits FROM ${of('bot_months')} GROUP BY ALL ORDER BY hits DESC LIMIT 50`,
        ),
        again_ms: await time(
          connection,
          `SELECT day, bot_no, verification_no, quarter, ${SUM} FROM ${of('bot_hits')} GROUP BY ALL`,
        ),
      }),
    )
  }
} finally {
  connection.closeSync()
  instance.closeSync()
  rmSync(dir, { recursive: true, force: true })
}
