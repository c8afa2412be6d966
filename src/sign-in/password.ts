import { scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { ApiError } from '../errors.ts'
import { systemRandom } from '../ids.ts'
import {
  HASHES_RUNNING_MAX,
  HASHES_WAITING_MAX,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
} from '../people-limits.ts'

interface Cost {
  /** The logarithm of N to the base 2. */
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** What a new password costs: 128 MiB, and a third of a second or so. */
const COST: Cost = { ln: 17, r: 8, p: 1 }
/** What a stored password may cost at most: the catalog may be anybody's. */
const COST_MAX: Cost = { ln: 20, r: 16, p: 4 }
const HASH_BYTES = 32
const SALT_BYTES = 16

/** Stored as `$scrypt$ln=17,r=8,p=1$SALT$HASH`, both base64url, so that a later cost leaves the passwords of today good. */
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([\w-]{22})\$([\w-]{43})$/

const limit = pLimit(HASHES_RUNNING_MAX)

/** Why a text can't be a password; undefined when it can. */
export function findPasswordFault(password: string): string | undefined {
  const { length } = Array.from(password.normalize('NFC'))
  if (length < PASSWORD_CHARACTERS_MIN) return `Use at least ${PASSWORD_CHARACTERS_MIN} characters.`
  return length > PASSWORD_CHARACTERS_MAX ? `Use at most ${PASSWORD_CHARACTERS_MAX} characters.` : undefined
}

/** What is stored of a new password. Throws `overloaded` while too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = Buffer.from(systemRandom.bytes(SALT_BYTES))
  const { ln, r, p } = COST
  const hash = await derive(password, salt, COST)
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * Whether the password is the stored one. Without one that is stored, or with one that can't be read, it takes as long and is
 * not. Throws `overloaded` while too many wait.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const found = parse(stored)
  const hash = await derive(password, found?.salt ?? Buffer.alloc(SALT_BYTES), found?.cost ?? COST)
  return timingSafeEqual(hash, found?.hash ?? Buffer.alloc(HASH_BYTES)) && found !== undefined
}

function parse(stored: string | null): { cost: Cost; salt: Buffer; hash: Buffer } | undefined {
  const [, ln, r, p, salt = '', hash = ''] = STORED.exec(stored ?? '') ?? []
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  const isAffordable = (['ln', 'r', 'p'] as const).every((name) => cost[name] >= 1 && cost[name] <= COST_MAX[name])
  return isAffordable ? { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') } : undefined
}

/** The same password may be typed in several ways that look alike; a longer one than allowed is no password. */
async function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  if (limit.pendingCount >= HASHES_WAITING_MAX) {
    throw new ApiError('overloaded', 'Too many people are signing in. Try again in a few seconds.', {
      retryAfterSeconds: 5,
    })
  }
  const text = password.slice(0, 2 * PASSWORD_CHARACTERS_MAX + 1).normalize('NFC')
  const options = { N: 2 ** ln, r, p, maxmem: 129 * 2 ** ln * r * p + 1_048_576 }
  return limit(() => runScrypt(text, salt, options))
}

function runScrypt(text: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}
