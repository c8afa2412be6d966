CREATE TRIGGER stopped_14 BEFORE INSERT ON api_keys
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_15 BEFORE UPDATE OF revoked_at ON api_keys
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  permission TEXT NOT NULL CHECK (permission IN ('read', 'write')),
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  creator TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT,
  last_used_at TEXT
) STRICT;

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

CREATE TABLE bot_documents (
  document_url TEXT PRIMARY KEY,
  first_loaded_at TEXT NOT NULL,
  last_loaded_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bot_ranges (
  document_url TEXT NOT NULL REFERENCES bot_documents (document_url),
  prefix TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  PRIMARY KEY (document_url, prefix)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER stopped_11 BEFORE INSERT ON calls
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE calls (
  call_no INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('answer', 'judgement')),
  site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  prompt_no INTEGER,
  answer_id TEXT,
  target TEXT NOT NULL,
  sample INTEGER NOT NULL DEFAULT 1 CHECK (sample >= 1),
  role TEXT NOT NULL CHECK (role IN ('main', 'shadow')),
  engine TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT,
  status TEXT NOT NULL CHECK (
    status IN ('planned', 'asked', 'task', 'answered', 'no_answer', 'failed', 'uncertain', 'skipped_budget')
  ),
  run_id TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  task_id TEXT,
  reserved_micros INTEGER NOT NULL DEFAULT 0 CHECK (reserved_micros >= 0),
  cost_micros INTEGER NOT NULL DEFAULT 0 CHECK (cost_micros >= 0),
  asked_ms INTEGER,
  ended_ms INTEGER,
  reason TEXT,
  searched INTEGER CHECK (searched IN (0, 1)),
  spool TEXT,
  imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)),
  CHECK (iif(kind = 'answer', prompt_no IS NOT NULL AND answer_id IS NULL, prompt_no IS NULL AND answer_id IS NOT NULL)),
  CHECK (asked_ms IS NOT NULL OR status NOT IN ('asked', 'task', 'answered', 'no_answer', 'uncertain')),
  CHECK (task_id IS NOT NULL OR status <> 'task')
) STRICT;

CREATE INDEX calls_by_day ON calls (site_id, kind, day);

CREATE INDEX calls_by_run ON calls (run_id);

CREATE UNIQUE INDEX calls_of_answers ON calls (site_id, answer_id, target) WHERE kind = 'judgement';

CREATE UNIQUE INDEX calls_of_prompts ON calls (site_id, day, prompt_no, target, sample) WHERE kind = 'answer';

CREATE TRIGGER stopped_card_notes_delete BEFORE DELETE ON card_notes
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = OLD.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_card_notes_insert BEFORE INSERT ON card_notes
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_card_notes_update BEFORE UPDATE ON card_notes
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE card_notes (
  card_id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  note TEXT,
  actor TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX card_notes_by_site ON card_notes (site_id);

CREATE TRIGGER stopped_10 BEFORE DELETE ON cards
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = OLD.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_8 BEFORE INSERT ON cards
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_9 BEFORE UPDATE ON cards
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE cards (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  rule TEXT NOT NULL,
  identity TEXT NOT NULL,
  period TEXT,
  title TEXT NOT NULL,
  why TEXT NOT NULL,
  detail TEXT NOT NULL,
  category TEXT NOT NULL,
  impact TEXT NOT NULL CHECK (impact IN ('High', 'Medium', 'Low')),
  effort TEXT NOT NULL,
  target_metric TEXT NOT NULL,
  kind TEXT NOT NULL,
  cadence TEXT,
  target_prompts TEXT NOT NULL CHECK (json_valid(target_prompts)),
  target_platforms TEXT NOT NULL CHECK (json_valid(target_platforms)),
  target_url TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'done', 'dismissed')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  marked_done_at TEXT,
  result_due TEXT,
  window_days INTEGER,
  before_hits INTEGER,
  before_total INTEGER,
  after_hits INTEGER,
  after_total INTEGER,
  verdict TEXT,
  summary TEXT, found_from TEXT NOT NULL DEFAULT '', found_to TEXT NOT NULL DEFAULT '',
  CHECK ((status = 'done') = (marked_done_at IS NOT NULL)),
  CHECK ((marked_done_at IS NULL) = (result_due IS NULL)),
  CHECK ((marked_done_at IS NULL) = (window_days IS NULL)),
  CHECK ((marked_done_at IS NULL) = (before_hits IS NULL)),
  CHECK ((marked_done_at IS NULL) = (before_total IS NULL)),
  CHECK ((marked_done_at IS NULL) = (summary IS NULL)),
  CHECK ((after_hits IS NULL) = (after_total IS NULL))
) STRICT;

CREATE UNIQUE INDEX cards_by_identity ON cards (site_id, identity, coalesce(period, ''));

CREATE INDEX cards_by_status ON cards (site_id, status);

CREATE TRIGGER stopped_5 BEFORE INSERT ON competitors
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_6 BEFORE UPDATE ON competitors
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_7 BEFORE DELETE ON competitors
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = OLD.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE competitors (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  brand_no INTEGER NOT NULL CHECK (brand_no >= 1),
  name TEXT NOT NULL,
  aliases TEXT NOT NULL CHECK (json_valid(aliases)),
  domains TEXT NOT NULL CHECK (json_valid(domains)),
  confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
  source TEXT NOT NULL CHECK (source IN ('onboarding', 'discovered', 'manual')),
  answers INTEGER NOT NULL DEFAULT 0 CHECK (answers >= 0),
  created_at TEXT NOT NULL, exact TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(exact)),
  UNIQUE (site_id, brand_no)
) STRICT;

CREATE TABLE deleted_site_files (
  file_id TEXT PRIMARY KEY,
  dataset TEXT NOT NULL,
  site_id TEXT NOT NULL,
  month TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  row_count INTEGER NOT NULL CHECK (row_count >= 0),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  min_day TEXT,
  max_day TEXT,
  schema_version INTEGER NOT NULL,
  added_in INTEGER NOT NULL,
  removed_in INTEGER NOT NULL,
  retired_at TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('retired', 'deleting'))
) STRICT, WITHOUT ROWID;

CREATE TABLE deleted_through (
  site_id TEXT PRIMARY KEY REFERENCES sites (id),
  snapshot INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE derivations (
  site_id TEXT NOT NULL REFERENCES sites (id),
  month TEXT NOT NULL,
  settings TEXT NOT NULL,
  PRIMARY KEY (site_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
  file_id TEXT PRIMARY KEY,
  dataset TEXT NOT NULL,
  site_id TEXT NOT NULL REFERENCES sites (id),
  month TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  row_count INTEGER NOT NULL CHECK (row_count >= 0),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  min_day TEXT,
  max_day TEXT,
  schema_version INTEGER NOT NULL,
  added_in INTEGER NOT NULL REFERENCES snapshots (id),
  removed_in INTEGER REFERENCES snapshots (id),
  retired_at TEXT,
  state TEXT NOT NULL CHECK (state IN ('live', 'retired', 'deleting')),
  CHECK ((state = 'live') = (removed_in IS NULL)),
  CHECK ((removed_in IS NULL) = (retired_at IS NULL))
) STRICT;

CREATE INDEX files_by_site ON files (site_id, removed_in);

CREATE INDEX files_retired ON files (retired_at) WHERE state <> 'live';

CREATE TABLE forgotten_replies (
  forgotten_no INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  what TEXT NOT NULL
) STRICT;

CREATE TRIGGER stopped_ignored_names_delete BEFORE DELETE ON ignored_names
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = OLD.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_ignored_names_insert BEFORE INSERT ON ignored_names
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_ignored_names_update BEFORE UPDATE ON ignored_names
WHEN EXISTS (
  SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
  WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE ignored_names (
  site_id TEXT NOT NULL REFERENCES sites (id),
  name_key TEXT NOT NULL,
  name TEXT NOT NULL,
  ignored_at TEXT NOT NULL,
  PRIMARY KEY (site_id, name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
  user_id TEXT NOT NULL REFERENCES users (id),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  kind TEXT NOT NULL CHECK (kind IN ('invitation', 'reset', 'sign_in')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_user ON links (user_id);

CREATE TABLE log_checkpoints (
  id INTEGER PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  head_bytes INTEGER NOT NULL,
  head_sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  tail_sha256 TEXT NOT NULL,
  lines INTEGER NOT NULL,
  state TEXT,
  updated_at TEXT NOT NULL, import_no INTEGER, given_up_by INTEGER,
  UNIQUE (site_id, head_sha256, bytes, tail_sha256)
) STRICT;

CREATE TABLE log_files (
  site_id TEXT NOT NULL REFERENCES sites (id),
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  lines INTEGER NOT NULL,
  format TEXT NOT NULL, import_no INTEGER,
  PRIMARY KEY (site_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_progress (
  id INTEGER PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  head_sha256 TEXT NOT NULL,
  head_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  prefix_sha256 TEXT NOT NULL,
  lines INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (site_id, prefix_sha256)
) STRICT;

CREATE INDEX log_progress_by_head ON log_progress (site_id, head_sha256);

CREATE TABLE meta (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  data_directory_id TEXT NOT NULL,
  cursor_secret BLOB NOT NULL CHECK (length(cursor_secret) = 32),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE operator_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  creator TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT;

CREATE TRIGGER stopped_16 BEFORE UPDATE ON organizations
WHEN OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('enterprise', 'pro', 'free')),
  plan_status TEXT NOT NULL CHECK (plan_status IN ('live', 'lapsed')),
  prompt_limit INTEGER NOT NULL CHECK (prompt_limit >= 0),
  requests_per_minute INTEGER NOT NULL CHECK (requests_per_minute >= 1),
  writes_per_minute INTEGER NOT NULL CHECK (writes_per_minute >= 1),
  created_at TEXT NOT NULL
, stopped_at TEXT) STRICT;

CREATE TABLE pins (
  token TEXT PRIMARY KEY,
  snapshot INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER stopped_2 BEFORE INSERT ON prompts
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_3 BEFORE UPDATE ON prompts
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_4 BEFORE DELETE ON prompts
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = OLD.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE prompts (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  prompt_no INTEGER NOT NULL CHECK (prompt_no >= 1),
  text TEXT NOT NULL,
  category TEXT NOT NULL
    CHECK (category IN ('Discovery', 'Comparison', 'Alternatives', 'How-to', 'Pricing', 'Brand')),
  market TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (site_id, prompt_no),
  UNIQUE (site_id, text)
) STRICT;

CREATE INDEX prompts_active ON prompts (site_id) WHERE status = 'active';

CREATE INDEX prompts_by_age ON prompts (site_id, created_at, id);

CREATE TABLE publications (
  publication_no INTEGER PRIMARY KEY AUTOINCREMENT,
  directory TEXT NOT NULL,
  snapshot INTEGER NOT NULL,
  grace_ms INTEGER NOT NULL CHECK (grace_ms >= 0),
  begun_at TEXT NOT NULL,
  replaced_at TEXT
) STRICT;

CREATE INDEX publications_by_directory ON publications (directory, publication_no);

CREATE TABLE recorded_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  site_id TEXT,
  kind TEXT NOT NULL,
  snapshot INTEGER,
  actor TEXT,
  result TEXT NOT NULL CHECK (json_valid(result)),
  undo TEXT CHECK (json_valid(undo)),
  undone_by TEXT,
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX recorded_changes_by_site ON recorded_changes (site_id, seq);

CREATE TABLE scan_runs (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('answer', 'judgement')),
  day TEXT NOT NULL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'complete', 'partial', 'failed')),
  token TEXT NOT NULL,
  spent_micros INTEGER NOT NULL DEFAULT 0,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  reason TEXT,
  CHECK ((status = 'running') = (ended_ms IS NULL))
) STRICT;

CREATE INDEX scan_runs_by_site ON scan_runs (site_id, started_ms);

CREATE INDEX scan_runs_running ON scan_runs (site_id) WHERE status = 'running';

CREATE TABLE scans (
  site_id TEXT NOT NULL REFERENCES sites (id),
  day TEXT NOT NULL,
  platform TEXT NOT NULL,
  prompt_nos TEXT NOT NULL CHECK (json_valid(prompt_nos)),
  answers INTEGER NOT NULL CHECK (answers >= 0),
  no_answers INTEGER NOT NULL CHECK (no_answers >= 0),
  PRIMARY KEY (site_id, platform)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE site_counters (
  site_id TEXT NOT NULL REFERENCES sites (id),
  name TEXT NOT NULL,
  next_value INTEGER NOT NULL,
  PRIMARY KEY (site_id, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER stopped_12 BEFORE INSERT ON sites
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_13 BEFORE UPDATE ON sites
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE sites (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  domain TEXT NOT NULL,
  aliases TEXT NOT NULL CHECK (json_valid(aliases)),
  market TEXT,
  platforms TEXT NOT NULL CHECK (json_valid(platforms)),
  discover INTEGER NOT NULL CHECK (discover IN (0, 1)),
  page_type_rules TEXT CHECK (json_valid(page_type_rules)),
  source_kinds TEXT CHECK (json_valid(source_kinds)),
  next_prompt_no INTEGER NOT NULL DEFAULT 1,
  next_brand_no INTEGER NOT NULL DEFAULT 1,
  rev INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, exact TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(exact)),
  UNIQUE (organization_id, domain)
) STRICT;

CREATE INDEX sites_by_domain ON sites (domain);

CREATE TRIGGER stopped_1 BEFORE INSERT ON snapshots
WHEN EXISTS (
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = NEW.site_id AND stopped_at IS NOT NULL
  )
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  site_id TEXT NOT NULL REFERENCES sites (id),
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX snapshots_by_site ON snapshots (site_id, id);

CREATE TABLE spend (
  organization_id TEXT NOT NULL,
  target TEXT NOT NULL,
  day TEXT NOT NULL,
  micros INTEGER NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (organization_id, day, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TRIGGER stopped_users_1 BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

CREATE TRIGGER stopped_users_2 BEFORE UPDATE OF mail, role, password, identity, revoked_at ON users
WHEN EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND stopped_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'organization stopped'); END;

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

CREATE UNIQUE INDEX users_by_identity ON users (identity) WHERE identity IS NOT NULL AND revoked_at IS NULL;

CREATE UNIQUE INDEX users_by_mail ON users (mail) WHERE revoked_at IS NULL;

CREATE INDEX users_by_organization ON users (organization_id);
