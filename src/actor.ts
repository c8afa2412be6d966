import { userInfo } from 'node:os'

/** The system's user who runs this process, and with `sudoUser` (SUDO_USER) who became that user by sudo. */
export function toActor(sudoUser?: string): string {
  const user = findUser()
  return sudoUser === undefined || sudoUser === '' || sudoUser === user ? user : `${user} (sudo by ${sudoUser})`
}

function findUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container a user may have no name.
    return `user ${process.getuid?.() ?? 'without a name'}`
  }
}
