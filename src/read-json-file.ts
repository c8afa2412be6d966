import { CommandError } from './errors.ts'
import { CONFIG_BYTES_MAX } from './limits.ts'
import { readWholeFile } from './read-whole-file.ts'

/** The content of a JSON file that an operator wrote; undefined where there is none. Throws CommandError with what to do. */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = (await readWholeFile(path, CONFIG_BYTES_MAX)).toString('utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'EISDIR') {
      throw new CommandError(`${path} is a directory. Put the file in its place, or remove it.`, { cause: error })
    }
    if (code !== 'EACCES') throw error
    throw new CommandError(
      `${path} cannot be read: permission is denied. Run the command as the user who owns the data directory, or correct its permissions.`,
      { cause: error },
    )
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CommandError(`${path} is no valid JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, {
      cause,
    })
  }
}
