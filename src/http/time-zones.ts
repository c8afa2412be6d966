import type { Lake } from '../lake/lake.ts'
import { sql } from '../lake/sql.ts'

/** What ICU, and so DuckDB, takes for a zone beside the names of the IANA. */
const NO_IANA_NAME =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|Factory|SystemV\/.*)$/

const known = new WeakMap<Lake, Promise<ReadonlySet<string>>>()

/**
 * The IANA's names of time zones, aliases too, spelled exactly (contract/api 5.10). They are DuckDB's: this runtime, whose
 * rules count, can't list its aliases and takes every name in any case.
 */
export async function findTimeZones(lake: Lake): Promise<ReadonlySet<string>> {
  let zones = known.get(lake)
  if (zones === undefined) {
    zones = readTimeZones(lake)
    known.set(lake, zones)
    zones.catch(() => known.delete(lake))
  }
  return zones
}

async function readTimeZones(lake: Lake): Promise<ReadonlySet<string>> {
  const rows = await lake.select(sql`SELECT name FROM pg_timezone_names()`)
  return new Set(rows.map((row) => String(row['name'])).filter((name) => !NO_IANA_NAME.test(name)))
}
