/**
 * Changes of an organization can be stopped, while it moves to another data directory: whatever a process has begun, nothing of
 * the organization is committed from then on, but its deletion. Uses of keys are still noted.
 */
const OF_SITE = (row: 'NEW' | 'OLD'): string =>
  `EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = ${row}.site_id AND stopped_at IS NOT NULL
  )`

const OF_ORGANIZATION = (row: 'NEW' | 'OLD'): string =>
  `EXISTS (SELECT 1 FROM organizations WHERE id = ${row}.organization_id AND stopped_at IS NOT NULL)`

const REFUSALS: readonly (readonly [event: string, when: string])[] = [
  ['INSERT ON snapshots', OF_SITE('NEW')],
  ...['prompts', 'competitors', 'cards'].flatMap((table) => [
    [`INSERT ON ${table}`, OF_SITE('NEW')] as const,
    [`UPDATE ON ${table}`, OF_SITE('NEW')] as const,
    [`DELETE ON ${table}`, OF_SITE('OLD')] as const,
  ]),
  ['INSERT ON calls', OF_SITE('NEW')],
  ['INSERT ON sites', OF_ORGANIZATION('NEW')],
  ['UPDATE ON sites', OF_ORGANIZATION('NEW')],
  ['INSERT ON api_keys', OF_ORGANIZATION('NEW')],
  ['UPDATE OF revoked_at ON api_keys', OF_ORGANIZATION('NEW')],
  ['UPDATE ON organizations', 'OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NOT NULL'],
]

export const stoppedOrganizations = `
ALTER TABLE organizations ADD COLUMN stopped_at TEXT;
${REFUSALS.map(
  ([event, when], index) => `
CREATE TRIGGER stopped_${index + 1} BEFORE ${event}
WHEN ${when}
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;
`,
).join('')}`
