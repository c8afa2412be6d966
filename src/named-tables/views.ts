import type { Catalog } from '../catalog/catalog.ts'
import type { Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { readFiles } from '../lake/read/files-relation.ts'
import { join, type Sql, sql } from '../lake/sql.ts'
import { createSiteLookup } from '../reports/site-facts.ts'
import { toDictionaries } from './dictionaries.ts'
import { NAMED_TABLES } from './tables.ts'

export interface ViewsOptions {
  readonly siteId: string
  /** The newest unless given. Throws CommandError for one whose files are gone or that never was. */
  readonly snapshot?: Snapshot | undefined
}

export interface Views {
  readonly snapshot: Snapshot
  /** DuckDB statements, in this order, without bindings. */
  readonly statements: readonly Sql[]
}

/**
 * DuckDB's SQL for the named tables of a site as views over exactly the files of one snapshot: the dictionaries as tables,
 * then the views. What was decided (categories, competitors, owners) is as it is now.
 */
export function toViews(catalog: Catalog, lakeDir: string, { siteId, snapshot: wanted }: ViewsOptions): Views {
  if (wanted !== undefined && !catalog.manifest.isReadable(siteId, wanted, Number.POSITIVE_INFINITY)) {
    throw new CommandError(
      `Snapshot ${wanted} can't be read: its files are deleted, or it never was. Leave --snapshot out for the newest.`,
    )
  }
  const facts = createSiteLookup(catalog).get(siteId, wanted)
  const views = NAMED_TABLES.map((table) => {
    const columns = Object.entries(table.columns).map(([name, column]) => sql`${column.sql} AS ${sql.identifier(name)}`)
    const from = table.from((dataset) => readFiles(lakeDir, dataset, facts.files))
    return sql`CREATE VIEW ${sql.identifier(table.name)} AS\nSELECT\n  ${join(columns, sql`,\n  `)}\nFROM ${from}`
  })
  return { snapshot: facts.snapshot, statements: [...toDictionaries(facts), ...views] }
}
