/**
 * How far a log was read, known by hashes of its beginning and of what ends there. `log_progress`, which knew it by a hash
 * of everything up to there, is read once more for each log, and written no more.
 */
export const logCheckpoints = `
CREATE TABLE log_checkpoints (
  id INTEGER PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id),
  head_bytes INTEGER NOT NULL,
  head_sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  tail_sha256 TEXT NOT NULL,
  lines INTEGER NOT NULL,
  state TEXT,
  updated_at TEXT NOT NULL,
  UNIQUE (site_id, head_sha256, bytes, tail_sha256)
) STRICT;
`
