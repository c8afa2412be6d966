import type Database from 'better-sqlite3'

/** A table whose rows refer to those of another, by this column. */
export interface Reference {
  readonly name: string
  readonly column: string
}

/** The tables that refer to a table. */
export function findReferences(db: Database.Database, table: string): Reference[] {
  return db
    .prepare<[string], Reference>(
      `SELECT tables.name, keys."from" AS "column"
       FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys
       WHERE tables.type = 'table' AND keys."table" = ?`,
    )
    .all(table)
}
