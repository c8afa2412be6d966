import type { Schemas } from '../../../client/client.ts'

/** Prompts of which no answer has the own brand, and how many answers these are. */
export interface Gap {
  readonly promptIds: readonly string[]
  /** Answers to these prompts. */
  readonly answers: number
  /** All prompts with answers. */
  readonly prompts: number
}

/** Finds the prompts whose answers never name the own brand, or never cite it. */
export function findGap(rows: readonly Schemas['VisibilityRow'][], gap: 'named' | 'cited'): Gap {
  const asked = rows.filter(({ answers = 0 }) => answers > 0)
  const missing = asked.filter((row) => (gap === 'named' ? row.named_answers : row.citing_answers) === 0)
  return {
    promptIds: missing.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt.id])),
    answers: missing.reduce((sum, { answers = 0 }) => sum + answers, 0),
    prompts: asked.length,
  }
}
