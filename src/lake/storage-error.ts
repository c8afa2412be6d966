import { ApiError, CommandError } from '../errors.ts'

/**
 * Puts a failure of the file system, of DuckDB's among them, into an operator's words; other errors stay as they are.
 * `outcome` says what became of the work.
 */
export function toStorageError(error: unknown, what: string, outcome = 'Nothing was changed.'): unknown {
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  const found = FAILURES.find(({ pattern }) => pattern.test(`${code} ${error.message}`))
  return found ? new CommandError(`${what}: ${found.what} ${outcome} ${found.remedy}`, { cause: error }) : error
}

const FAILURES = [
  {
    pattern: /ENOSPC|EDQUOT|No space left|disk is full|quota exceeded/i,
    what: 'the disk is full or its quota used up.',
    remedy: 'Free some space (`answerlake lake gc --grace 0` deletes what is no longer needed) and repeat the command.',
  },
  {
    pattern: /EROFS|read-only file system/i,
    what: 'the file system is mounted read-only.',
    remedy: 'Mount it for writing and repeat the command.',
  },
  {
    pattern: /EACCES|EPERM|Permission denied|Operation not permitted/i,
    what: 'permission is denied.',
    remedy: 'Run the command as the user who owns the data directory, or correct its permissions.',
  },
  {
    pattern: /\bEIO\b|Input\/output error/i,
    what: 'the disk reports an input/output error.',
    remedy: 'Check the disk and the system log before you repeat the command.',
  },
  {
    pattern: /EMFILE|ENFILE|Too many open files/i,
    what: 'too many files are open.',
    remedy: 'Raise the limit (`ulimit -n`) and repeat the command.',
  },
  {
    pattern: /Out of Memory Error/,
    what: 'it takes more memory than the program gives DuckDB.',
    remedy: 'Do less at a time: split the input and repeat the command for each part.',
  },
] as const
