import Database from 'better-sqlite3'

/** Version of the SQLite library in use, `3.53.4`. */
export function sqliteVersion(): string {
  const db = new Database(':memory:')
  try {
    return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  } finally {
    db.close()
  }
}
