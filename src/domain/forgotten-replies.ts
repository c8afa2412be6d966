import type { EngineId } from './enums.ts'

/** Where raw replies are kept, below the data directory. */
export const REPLIES_DIR = 'scans'

/**
 * Which raw replies of a site are to go: those about answers of these days, prompts and engine, those about answers with these
 * ids, or everything of these runs.
 */
export type ForgottenWhat =
  | {
      readonly from?: string | undefined
      readonly to?: string | undefined
      /** Ids. */
      readonly prompts?: readonly string[] | undefined
      readonly platform?: EngineId | undefined
    }
  | { readonly ids: readonly string[] }
  | { readonly runs: readonly string[] }

/** One deletion whose raw replies have not gone yet. */
export interface ForgottenReplies {
  readonly no: number
  readonly siteId: string
  /** What was asked for later stays. */
  readonly atMs: number
  readonly what: ForgottenWhat
}
