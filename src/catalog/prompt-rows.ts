import type { Category, PromptStatus } from '../domain/enums.ts'
import type { Prompt } from '../domain/prompt.ts'

/** A prompt as the table `prompts` has it. */
export interface PromptRow {
  readonly id: string
  readonly site_id: string
  readonly prompt_no: number
  readonly text: string
  readonly category: Category
  readonly market: string | null
  readonly status: PromptStatus
  readonly created_at: string
  readonly updated_at: string
}

export const PROMPT_COLUMNS = 'id, site_id, prompt_no, text, category, market, status, created_at, updated_at'

export function toPrompt(row: PromptRow): Prompt {
  return {
    id: row.id,
    siteId: row.site_id,
    promptNo: row.prompt_no,
    text: row.text,
    category: row.category,
    market: row.market,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toPromptRow(prompt: Prompt): PromptRow {
  return {
    id: prompt.id,
    site_id: prompt.siteId,
    prompt_no: prompt.promptNo,
    text: prompt.text,
    category: prompt.category,
    market: prompt.market,
    status: prompt.status,
    created_at: prompt.createdAt,
    updated_at: prompt.updatedAt,
  }
}
