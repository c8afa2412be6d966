/** Files whose lines were all counted, so that they need not be opened again while they stay as they are. */
export const logFiles = `
CREATE TABLE log_files (
  site_id TEXT NOT NULL REFERENCES sites (id),
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  lines INTEGER NOT NULL,
  format TEXT NOT NULL,
  PRIMARY KEY (site_id, path)
) STRICT, WITHOUT ROWID;
`
