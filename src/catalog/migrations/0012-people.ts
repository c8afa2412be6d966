/**
 * Users of the dashboard, the links and sessions by which they come in, and the audit. Of secrets only SHA-256 is kept; `password`
 * is scrypt's output with its parameters; `identity` is what an OpenID provider calls the user, as JSON `[issuer, subject]`. A
 * session that ended and a link that was used have no row. All name their organization, with which they go. `confirmed_at` is
 * when the password was last typed. Nothing about users changes while their organization moves; reading goes on, so that sessions
 * still begin.
 */
const REFUSED = ['INSERT', 'UPDATE OF mail, role, password, identity, revoked_at'] as const

export const people = `
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  mail TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  password TEXT,
  identity TEXT CHECK (json_valid(identity)),
  inviter TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_sign_in_at TEXT,
  revoked_at TEXT
) STRICT;

CREATE INDEX users_by_organization ON users (organization_id);
CREATE UNIQUE INDEX users_by_mail ON users (mail) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX users_by_identity ON users (identity) WHERE identity IS NOT NULL AND revoked_at IS NULL;

CREATE TABLE links (
  sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
  user_id TEXT NOT NULL REFERENCES users (id),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  kind TEXT NOT NULL CHECK (kind IN ('invitation', 'reset', 'sign_in')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_user ON links (user_id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  user_id TEXT NOT NULL REFERENCES users (id),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  created_at TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  confirmed_at TEXT,
  address TEXT,
  client TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organization_id TEXT REFERENCES organizations (id),
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;

CREATE INDEX audit_by_organization ON audit (organization_id, seq);
${REFUSED.map(
  (event, index) => `
CREATE TRIGGER stopped_users_${index + 1} BEFORE ${event} ON users
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;
`,
).join('')}`
