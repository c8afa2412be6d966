import { scryptSync } from 'node:crypto'

/** A stored password that takes a millisecond to look at, not a third of a second. */
export function storeCheaply(password: string): string {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync(password, salt, 32, { N: 1_024, r: 8, p: 1 })
  return `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`
}
