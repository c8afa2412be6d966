/**
 * Paid calls, who asked them, and what was spent. A call's row says that it is asked before anything is sent. `asked_ms` stands
 * only while something may have been bought. `spend` refers to nothing: what an organization has spent counts on, whatever is
 * deleted. Money is in micro-dollars.
 */
export const calls = `
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

CREATE UNIQUE INDEX calls_of_prompts ON calls (site_id, day, prompt_no, target, sample) WHERE kind = 'answer';
CREATE UNIQUE INDEX calls_of_answers ON calls (site_id, answer_id, target) WHERE kind = 'judgement';
CREATE INDEX calls_by_run ON calls (run_id);
CREATE INDEX calls_by_day ON calls (site_id, kind, day);

CREATE TABLE spend (
  organization_id TEXT NOT NULL,
  target TEXT NOT NULL,
  day TEXT NOT NULL,
  micros INTEGER NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (organization_id, day, target)
) STRICT, WITHOUT ROWID;
`
