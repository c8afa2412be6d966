import type { Lake } from '../lake/lake.ts'
import { sql } from '../lake/sql.ts'

const known = new WeakMap<Lake, Promise<ReadonlySet<string>>>()

/**
 * Names of time zones, aliases too, spelled exactly. Both DuckDB, which computes with them, and this runtime must know
 * a zone: each has its own copy of the IANA data, and DuckDB's list also holds three-letter names that are no zones.
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
  return new Set(rows.map((row) => String(row['name'])).filter(isKnownHere))
}

function isKnownHere(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
