import { existsSync, rmSync, utimesSync } from 'node:fs'
import Database from 'better-sqlite3'
import { CommandError } from '../errors.ts'

/** A file that this process holds locked until `free` or its death: an exclusive transaction of SQLite on it. */
export interface LockedFile {
  /** Shows those who watch the file that its holder moves. */
  touch(): void
  /** Removes it too. Never fails. */
  free(): void
}

/** Makes the file and locks it. Throws CommandError. */
export function lockFile(path: string): LockedFile {
  const db = openNewLocked(path)
  let beats = 0
  return {
    touch() {
      beats += 1
      try {
        // The file's time only has to differ from the one before: no clock can be set back under it.
        utimesSync(path, beats, beats)
      } catch {
        // The file is gone when another process has taken over; assertHeld says so at the commit.
      }
    },
    free() {
      db.close()
      try {
        rmSync(path, { force: true })
      } catch {
        // On a disk that has turned read-only it stays, for the next sweep; nobody holds it.
      }
    },
  }
}

/** Whether nobody has the file locked, or it isn't there. Where that can't be told (too many open files), it isn't free. */
export function isFree(path: string): boolean {
  try {
    openLocked(path, { timeout: 0, fileMustExist: true }).close()
    return true
  } catch {
    return !existsSync(path)
  }
}

/** Removes the file, unless somebody has it locked, while it is locked itself, so that nobody can take it in between. */
export function removeIfFree(path: string): boolean {
  let db: Database.Database | undefined
  try {
    db = openLocked(path, { timeout: 0, fileMustExist: true })
    rmSync(path, { force: true })
    return true
  } catch {
    return false
  } finally {
    db?.close()
  }
}

/** A sweep is over in milliseconds; a file that can't be made after so many tries can't be made. */
const LOCK_TRIES_MAX = 20

/** Whoever sweeps may have met the new file before it was locked, and removed it; then it is made once more. */
function openNewLocked(path: string): Database.Database {
  let failure: unknown
  for (let tries = 0; tries < LOCK_TRIES_MAX; tries++) {
    try {
      const db = openLocked(path)
      if (existsSync(path)) return db
      db.close()
    } catch (error) {
      failure = error
      if (existsSync(path)) break
    }
  }
  throw toCommandError(failure, path)
}

function toCommandError(error: unknown, path: string): CommandError {
  const reason = error instanceof Error ? ` (${error.message})` : ''
  return new CommandError(
    `${path} can't be made${reason}: the disk is full or read-only, or the data directory isn't yours. Nothing was changed.`,
    { cause: error },
  )
}

function openLocked(path: string, options: Database.Options = {}): Database.Database {
  const db = new Database(path, options)
  try {
    // Otherwise SQLite lays a journal beside the file, which a killed process would leave.
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
