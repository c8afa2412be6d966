/**
 * What people decide in the dashboard: names that are never discovered as competitors again, by the form in which names are
 * compared, and who put a card away or marked it done, with a note of theirs. Both stand still while their organization moves.
 */
const TABLES = ['ignored_names', 'card_notes'] as const
const EVENTS = [
  ['INSERT', 'NEW'],
  ['UPDATE', 'NEW'],
  ['DELETE', 'OLD'],
] as const

export const decisions = `
CREATE TABLE ignored_names (
  site_id TEXT NOT NULL REFERENCES sites (id),
  name_key TEXT NOT NULL,
  name TEXT NOT NULL,
  ignored_at TEXT NOT NULL,
  PRIMARY KEY (site_id, name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE card_notes (
  card_id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  note TEXT,
  actor TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX card_notes_by_site ON card_notes (site_id);
${TABLES.flatMap((table) =>
  EVENTS.map(
    ([event, row]) => `
CREATE TRIGGER stopped_${table}_${event.toLowerCase()} BEFORE ${event} ON ${table}
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = ${row}.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;
`,
  ),
).join('')}`
