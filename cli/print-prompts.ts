import type { Prompt } from '../src/domain/prompt.ts'
import type { Io } from './io.ts'
import { printTable } from './table.ts'

/** A line a prompt. */
export function printPrompts(io: Io, prompts: readonly Prompt[]): void {
  printTable(
    io,
    ['id', 'status', 'category', 'market', 'text'],
    prompts.map((prompt) => [prompt.id, prompt.status, prompt.category, prompt.market, prompt.text]),
  )
}
