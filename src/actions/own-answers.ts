import type { TargetPrompt } from '../domain/action-card.ts'
import { ENGINE_IDS, type EngineId } from '../domain/enums.ts'
import type { Prompt } from '../domain/prompt.ts'
import { CARD_PROMPTS_MAX } from '../limits.ts'
import { type Rate, toRate } from '../statistics/rate.ts'
import type { StudentT } from '../statistics/student-t.ts'
import type { SiteView } from './rule.ts'
import type { DayRange } from './windows.ts'

/** The answers of one engine to one prompt, and how many of them name the own brand and cite the own site. */
export interface AnswerCounts {
  readonly prompt: Prompt
  readonly platform: EngineId
  readonly answers: number
  readonly named: number
  readonly cited: number
}

/** Every pair of prompt and engine with an answer in the range, disabled prompts too. */
export async function countOwnAnswers(view: SiteView, range: DayRange): Promise<readonly AnswerCounts[]> {
  const rows = await view.reports.ownAnswers(range, {})
  return rows.flatMap(({ prompt_id, platform: id, answers, named, cited }) => {
    const prompt = view.prompts.get(prompt_id)
    const platform = ENGINE_IDS.find((engine) => engine === id)
    return prompt && platform ? [{ prompt, platform, answers, named, cited }] : []
  })
}

/** The count behind a rate of a report. */
export function toHits(rate: number, total: number): number {
  return Math.round(rate * total)
}

export function sumAnswers(counts: readonly AnswerCounts[]): { answers: number; named: number; cited: number } {
  const sum = { answers: 0, named: 0, cited: 0 }
  for (const { answers, named, cited } of counts) {
    sum.answers += answers
    sum.named += named
    sum.cited += cited
  }
  return sum
}

/** A share of answers, `hits` of them, with an interval clustered by prompt. */
export function toPromptRate(
  counts: readonly (Pick<AnswerCounts, 'prompt' | 'answers'> & { readonly hits: number })[],
  studentT: StudentT,
): Rate {
  const prompts = new Map<string, { answers: number; hits: number }>()
  for (const { prompt, answers, hits } of counts) {
    const sum = prompts.get(prompt.id) ?? { answers: 0, hits: 0 }
    prompts.set(prompt.id, { answers: sum.answers + answers, hits: sum.hits + hits })
  }
  return toRate([...prompts.values()], [], studentT)
}

/** Counts by a key of theirs, in the order in which the keys first appear. */
export function groupAnswers<K>(
  counts: readonly AnswerCounts[],
  toKey: (count: AnswerCounts) => K,
): Map<K, AnswerCounts[]> {
  const groups = new Map<K, AnswerCounts[]>()
  for (const count of counts) {
    const key = toKey(count)
    const group = groups.get(key)
    if (group) group.push(count)
    else groups.set(key, [count])
  }
  return groups
}

/** Counts that a card may be about: of active prompts, on engines that the site is scanned on. */
export function listTracked(view: SiteView, counts: readonly AnswerCounts[]): readonly AnswerCounts[] {
  return counts.filter(({ prompt, platform }) => prompt.status === 'active' && view.site.platforms.includes(platform))
}

/** Targets of a card: the prompts, those with most answers first, and the engines in their order. */
export function toTargets(tracked: readonly AnswerCounts[]): {
  targetPrompts: readonly TargetPrompt[]
  targetPlatforms: readonly EngineId[]
} {
  const prompts = [...groupAnswers(tracked, ({ prompt }) => prompt)].map(([prompt, group]) => ({
    prompt,
    answers: sumAnswers(group).answers,
  }))
  const platforms = new Set(tracked.map(({ platform }) => platform))
  return {
    targetPrompts: prompts
      .toSorted((a, b) => b.answers - a.answers || a.prompt.promptNo - b.prompt.promptNo)
      .slice(0, CARD_PROMPTS_MAX)
      .map(({ prompt: { id, text } }) => ({ id, text })),
    targetPlatforms: ENGINE_IDS.filter((id) => platforms.has(id)),
  }
}
