import type { Clock } from '../../src/clock.ts'
import type { Environment } from '../../src/config.ts'

/** What a check found, and what to do about it; `advice` is null when all is well. */
export interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly message: string
  readonly advice: string | null
}

/** What checks look at. */
export interface Patient {
  /** Absolute. */
  readonly dataDir: string
  readonly clock: Clock
  readonly environment: Environment
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, advice: null }
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, status: 'warning', message, advice }
}

export function problem(check: string, message: string, advice: string): Finding {
  return { check, status: 'problem', message, advice }
}

/** What went wrong, in one line. */
export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
