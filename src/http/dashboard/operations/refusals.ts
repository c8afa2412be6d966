import { ApiError, CommandError } from '../../../errors.ts'

/**
 * Does work of the catalog whose refusals are written for the command line, and refuses in the same words: no such thing,
 * taken by another, done already.
 */
export function inSameWords<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof CommandError) throw new ApiError('invalid_request', error.message, { cause: error })
    throw error
  }
}
