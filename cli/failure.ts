import { WriteConflictError } from '../src/catalog/write-conflict.ts'

/** What the operating system and the stores call the common mishaps, and what an operator can do about each. */
const MISHAPS: Readonly<Record<string, string>> = {
  ENOSPC:
    'no space is left on the disk; free some (`answerlake lake gc --grace 0` deletes files that were replaced) and run the command again',
  EDQUOT: 'the disk quota is used up; free some space and run the command again',
  SQLITE_FULL:
    'no space is left on the disk; free some (`answerlake lake gc --grace 0` deletes files that were replaced) and run the command again',
  EROFS: 'the file system is read-only; mount it writable or choose another --data-dir',
  SQLITE_READONLY: 'the data directory cannot be written; check its owner and permissions',
  SQLITE_CANTOPEN: 'the catalog cannot be opened; check the owner and permissions of the data directory',
  SQLITE_NOTADB: 'catalog.sqlite is no SQLite database; restore it from a backup',
  SQLITE_CORRUPT: 'catalog.sqlite is damaged; restore it from a backup',
  EACCES: 'permission is denied; check owner and permissions',
  EPERM: 'the operation is not permitted; check owner and permissions',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  EADDRINUSE: 'the address is in use; choose another --port or stop what listens there',
  EADDRNOTAVAIL: 'the address is none of this machine; choose another --host',
  ENOTFOUND: 'there is no such host; choose an address of this machine with --host',
  EAI_AGAIN: 'the host cannot be looked up; choose an address of this machine with --host',
  ENOENT: 'no such file or directory',
  ERR_DLOPEN_FAILED:
    'a native library cannot be loaded; take the program made for this system, and for the executable a cache directory (XDG_CACHE_HOME) on a file system that is not mounted noexec',
  MODULE_NOT_FOUND: "a part of the program is missing; install it again, with npm's optional packages",
  ERR_MODULE_NOT_FOUND: "a part of the program is missing; install it again, with npm's optional packages",
  EISDIR: 'a directory stands where a file is expected',
  ENOTDIR: 'a file stands where a directory is expected',
}

/**
 * One line for an error that no command foresees: a conflict or a mishap in words, this with the system's own message; else
 * the message and where it came from.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`
  if (error instanceof WriteConflictError) return `${error.message} Nothing was changed; run the command again.`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const mishap = Object.entries(MISHAPS).find(([name]) => code === name || code.startsWith(`${name}_`))
  return mishap === undefined
    ? `unexpected failure: ${error.stack ?? error.message}`
    : `${mishap[1]} (${error.message.split('\n', 1)[0]})`
}
