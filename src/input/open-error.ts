import { CommandError } from '../errors.ts'

/** A file holds something else than what is imported. */
export class ForeignContentError extends CommandError {}

/** Why a file that was named as input can't be opened or read, in words that name it and say what to do. */
export function toOpenError(path: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new CommandError(`${path}: there is no such file. Check the path; - reads standard input.`)
    case 'EISDIR':
      return new CommandError(`${path}: is a directory. Name a file in it.`)
    case 'EACCES':
    case 'EPERM':
      return new CommandError(`${path}: no permission to read it. Give this user read access, or run as its owner.`)
    case 'EMFILE':
    case 'ENFILE':
      return new CommandError(`${path}: too many files are open. Raise the limit (ulimit -n) or import fewer at once.`)
    default:
      return new CommandError(`${path}: can't be opened (${error instanceof Error ? error.message : String(error)}).`, {
        cause: error,
      })
  }
}
