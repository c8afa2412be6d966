/**
 * Files of sites that were deleted, until they are collected: readers that had begun before may still need them. The columns are
 * those of `files`, without what refers to the site.
 */
export const deletedSites = `
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
`
