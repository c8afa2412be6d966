import { DuckDBInstance } from '@duckdb/node-api'

/** DuckDB as anybody would use it, without anything of this program's. */
export interface Database {
  run(sql: string): Promise<void>
  /** Cells as JSON has them: whole numbers as numbers, days and times as text. */
  rows(sql: string): Promise<Record<string, unknown>[]>
  close(): void
}

export async function openDatabase(path: string): Promise<Database> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  return {
    run: async (sql) => void (await connection.run(sql)),
    rows: async (sql) => {
      const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS()
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPlain(value)])))
    },
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return value instanceof Date ? value.toISOString().slice(0, 10) : value
}
