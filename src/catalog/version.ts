import Database from 'better-sqlite3'

/** Version of the SQLite library that the program runs with, `3.54.1`. */
export function sqliteVersion(): string {
  const db = new Database(':memory:')
  try {
    return readSqliteVersion(db)
  } finally {
    db.close()
  }
}

export function readSqliteVersion(db: Database.Database): string {
  return String(db.prepare<[], string>('SELECT sqlite_version()').pluck().get())
}
