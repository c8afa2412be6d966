import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { EngineId, ScanStatus } from './enums.ts'

/** A tracked website with its own brand (contract/api 11.1). */
export interface Site {
  readonly id: string
  readonly organizationId: string
  /** Name of the site and of its own brand. */
  readonly name: string
  /** Lower-case host, without scheme, port and path. */
  readonly domain: string
  /** Further spellings of the own brand's name. */
  readonly aliases: readonly string[]
  /** Those of the name and the aliases whose case counts (contract/imports 2.3). */
  readonly exact: readonly string[]
  /** Location a prompt is asked for when it names none itself. */
  readonly market: string | null
  /** Engines the site is scanned on, in the order of the engine catalogue. */
  readonly platforms: readonly EngineId[]
  /** Whether names that no brand has become unconfirmed competitors when answers are imported. */
  readonly discover: boolean
  /** The operator's own rules as they were given (validated by who sets them); null: none. */
  readonly pageTypeRules: unknown
  readonly sourceKinds: unknown
  /** Changes with every decision that can change a report of older data; a cursor with another one is expired (contract/api 6). */
  readonly rev: number
  readonly createdAt: string
}

/** The newest day with an imported answer or no_answer (contract/api 8.2). */
export interface AnswerScan {
  /** UTC day, `YYYY-MM-DD`. */
  readonly date: string
  readonly status: ScanStatus
}

/**
 * The host of what an operator typed as a domain: `https://Acme.com/shop` gives `acme.com`, an international name its
 * ASCII form, as hosts of cited links have it. `www.` stays. Undefined when it is no host.
 */
export function toDomain(given: string): string | undefined {
  const host = given
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^[^@]*@/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
  const ascii = domainToASCII(host)
  if (isIP(ascii) === 4) return ascii
  return ascii.length <= 253 &&
    /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(ascii)
    ? ascii
    : undefined
}
