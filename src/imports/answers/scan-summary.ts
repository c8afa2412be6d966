import type { EngineId } from '../../domain/enums.ts'

/** What one engine was asked on one day. */
export interface ScanDay {
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string
  readonly platform: EngineId
  readonly promptNos: readonly number[]
  readonly answers: number
  readonly noAnswers: number
}

/** Follows the newest day of each engine while records go by; `last_answer_scan` is told from it (decisions.md 8). */
export interface ScanSummary {
  add(record: { day: string; platform: EngineId; promptNo: number; isAnswer: boolean }): void
  newest(): readonly ScanDay[]
}

export function createScanSummary(): ScanSummary {
  const days = new Map<EngineId, { day: string; prompts: Set<number>; answers: number; noAnswers: number }>()
  return {
    add({ day, platform, promptNo, isAnswer }) {
      let entry = days.get(platform)
      if (entry && entry.day > day) return
      if (!entry || entry.day < day) {
        entry = { day, prompts: new Set(), answers: 0, noAnswers: 0 }
        days.set(platform, entry)
      }
      entry.prompts.add(promptNo)
      if (isAnswer) entry.answers += 1
      else entry.noAnswers += 1
    },
    newest: () =>
      [...days].map(([platform, { day, prompts, answers, noAnswers }]) => ({
        day,
        platform,
        promptNos: [...prompts],
        answers,
        noAnswers,
      })),
  }
}
