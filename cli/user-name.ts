import { userInfo } from 'node:os'

/** The name of the account that runs the program; containers may have none. */
export function findUserName(): string | undefined {
  try {
    return userInfo().username || undefined
  } catch {
    return undefined
  }
}
