/**
 * Why a record of an input can't be used, in words for the operator: which field, what was found, what is wanted.
 * Whoever reads the file adds its name and the line (contract/imports 2.4).
 */
export interface Rejection {
  readonly reason: string
}

/** Tells a rejection from what it stands in for; no record has a `reason`. */
export function isRejection(value: object): value is Rejection {
  return 'reason' in value
}
