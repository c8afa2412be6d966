import Database from 'better-sqlite3'
import { ApiError, CommandError } from '../errors.ts'
import type { CatalogMode } from './store.ts'

/** Changes of an organization are stopped (moves.ts). */
export class StoppedError extends CommandError {
  constructor(options?: { cause?: unknown }) {
    super(
      'Changes of this organization are stopped, since it was exported to move to another data directory. Nothing was changed. Change it there, or allow changes here again: `answerlake orgs resume ORG_ID`.',
      options,
    )
  }
}

/** SQLite's own failures in the words of the caller; anything else stays as it is. */
export function translate(error: unknown, mode: CatalogMode, doing: 'read' | 'write'): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const { code } = error
  if (isSqliteBusy(error)) {
    return mode === 'server'
      ? new ApiError('overloaded', 'Another process is writing. Try again in a second.', {
          retryAfterSeconds: 1,
          cause: error,
        })
      : new CommandError(
          'Another process has been writing to the catalog for over 30 seconds. Try again when it is done.',
          { cause: error },
        )
  }
  // The triggers of stopped organizations are the catalog's only ones (moves.ts).
  if (code === 'SQLITE_CONSTRAINT_TRIGGER') return toStopped(mode, error)
  if (doing === 'write' && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code)) {
    return mode === 'server'
      ? new ApiError(
          'storage_full',
          'The change could not be stored: the disk is full or not writable. Nothing was changed.',
          { retryAfterSeconds: 60, cause: error },
        )
      : new CommandError(
          `The catalog could not be written (${error.message}). Free disk space (\`answerlake lake gc --grace 0\` deletes files that were replaced) or check its permissions; nothing was changed.`,
          { cause: error },
        )
  }
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(code)) {
    return mode === 'server'
      ? new ApiError('data_unavailable', 'The service cannot read its catalog. Tell its operator.', {
          retryAfterSeconds: 60,
          cause: error,
        })
      : new CommandError(
          `The catalog cannot be read (${error.message}). Run \`answerlake doctor\`, or restore a backup.`,
          { cause: error },
        )
  }
  return error
}

/** The refusal of a change of an organization whose changes are stopped. */
export function toStopped(mode: CatalogMode, cause?: unknown): ApiError | StoppedError {
  return mode === 'server'
    ? new ApiError(
        'overloaded',
        'The organization is moving to another installation: it can be read, and changed again in some minutes. Nothing was changed.',
        { retryAfterSeconds: 60, cause },
      )
    : new StoppedError({ cause })
}

/** Whether a write of the server met another writer, and may go through in a moment; a stopped organization refuses for minutes. */
export function hasMetWriter(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'overloaded' && isSqliteBusy(error.cause)
}

/** Whether another connection was writing. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(error.code)
}
