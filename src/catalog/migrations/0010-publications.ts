/**
 * Publications of the lake as Iceberg tables, each with the files of a snapshot that it keeps, and the operator's own keys.
 * `replaced_at` stands once a newer one has taken its place, or it was dropped.
 */
export const publications = `
CREATE TABLE publications (
  publication_no INTEGER PRIMARY KEY AUTOINCREMENT,
  directory TEXT NOT NULL,
  snapshot INTEGER NOT NULL,
  grace_ms INTEGER NOT NULL CHECK (grace_ms >= 0),
  begun_at TEXT NOT NULL,
  replaced_at TEXT
) STRICT;

CREATE INDEX publications_by_directory ON publications (directory, publication_no);

CREATE TABLE operator_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  creator TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT;
`
