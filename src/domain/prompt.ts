import type { Category, PromptStatus } from './enums.ts'

/** A tracked question (contract/api 11.2). Its text never changes and it is never deleted. */
export interface Prompt {
  readonly id: string
  readonly siteId: string
  /** From 1 within its site, never used again; the lake names the prompt by it. */
  readonly promptNo: number
  readonly text: string
  readonly category: Category
  /** Null: the site's market. */
  readonly market: string | null
  readonly status: PromptStatus
  readonly createdAt: string
  readonly updatedAt: string
}

/** The form in which prompt texts are kept and compared: Unicode NFC, trimmed (contract/imports 2.1). */
export function toPromptText(given: string): string {
  return given.normalize('NFC').trim()
}
