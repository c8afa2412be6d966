import { type CardComparison, toComparison } from '../../../src/actions/verdict.ts'
import type { Cell } from '../../../src/reports/changes/change.ts'
import type { StudentT } from '../../../src/statistics/student-t.ts'
import { simulateWorld, type SimulatedWorld, type WorldKind } from '../../statistics/worlds.ts'

/** Windows have 28 days; the last of a world is the one after, the first the one before. */
const WINDOW_DAYS = 28
const ENGINES = 4

/** Which prompts of how many a card is about, and how it came to them. */
export interface CardWorlds {
  readonly prompts: number
  readonly targets: number
  /** The prompts that are named least in a window between the others, instead of just any. */
  readonly picked?: 'lowest'
  /** With that window for the one before, which the product doesn't take unless it has no other. */
  readonly heldAgainst?: 'the window of the pick'
}

export const CARD_WORLDS: Readonly<Record<string, CardWorlds>> = {
  '6 of 12': { prompts: 12, targets: 6 },
  '8 of 30': { prompts: 30, targets: 8 },
  '1 of 20': { prompts: 20, targets: 1 },
  '1 of 40': { prompts: 40, targets: 1 },
  '3 of 24': { prompts: 24, targets: 3 },
  '5 of 40': { prompts: 40, targets: 5 },
  'the lowest 8 of 30': { prompts: 30, targets: 8, picked: 'lowest' },
  'the lowest of 30': { prompts: 30, targets: 1, picked: 'lowest' },
}

/** Worlds of a kind whose card is called improved and declined, as shares of all; `raised` lets its prompts go from 20 to 33 %. */
export function measureVerdicts(
  kind: WorldKind,
  card: CardWorlds,
  {
    worlds,
    studentT,
    raised = false,
  }: { readonly worlds: number; readonly studentT: StudentT; readonly raised?: boolean },
): { readonly improved: number; readonly declined: number } {
  const found = { improved: 0, declined: 0, no_change: 0, not_enough_data: 0 }
  for (let world = 0; world < worlds; world++) found[judge(kind, card, { key: `card ${world}`, studentT, raised })]++
  return { improved: found.improved / worlds, declined: found.declined / worlds }
}

function judge(
  kind: WorldKind,
  { prompts, targets: size, picked, heldAgainst }: CardWorlds,
  { key, studentT, raised }: { readonly key: string; readonly studentT: StudentT; readonly raised: boolean },
): CardComparison['verdict'] {
  const days = picked === undefined ? 2 * WINDOW_DAYS : 3 * WINDOW_DAYS
  const any = new Set(Array.from({ length: size }, (_, prompt) => prompt))
  const world = simulateWorld(kind, key, {
    prompts,
    engines: ENGINES,
    days,
    rates: [0.2],
    ...(raised ? { raised: { prompts: any, day: days - WINDOW_DAYS, from: 0.2, to: 0.33 } } : {}),
  })
  const targets = picked === undefined ? any : pickLowest(world, prompts, size)
  const cells = toCells(world, heldAgainst === undefined ? 0 : WINDOW_DAYS, days - WINDOW_DAYS)
  const isTarget = ({ prompt }: Cell): boolean => targets.has(Number(prompt))
  const sides = { targets: cells.filter(isTarget), untouched: cells.filter((cell) => !isTarget(cell)) }
  return toComparison('mention', sides, studentT).verdict
}

/** The prompts named in the least share of the answers of the second window. */
function pickLowest({ answers }: SimulatedWorld, prompts: number, size: number): ReadonlySet<number> {
  const window = answers.filter(({ day }) => day >= WINDOW_DAYS && day < 2 * WINDOW_DAYS)
  const shares = Array.from({ length: prompts }, (_, prompt) => {
    const of = window.filter((answer) => answer.prompt === prompt)
    return { prompt, share: of.filter(({ named }) => named[0]).length / of.length }
  })
  return new Set(
    shares
      .toSorted((a, b) => a.share - b.share)
      .slice(0, size)
      .map(({ prompt }) => prompt),
  )
}

function toCells({ answers }: SimulatedWorld, before: number, after: number): readonly Cell[] {
  const cells = new Map<
    string,
    { prompt: number; previous: { n: number; s: number }; current: { n: number; s: number } }
  >()
  for (const { prompt, engine, day, named } of answers) {
    const isBefore = day >= before && day < before + WINDOW_DAYS
    if (!isBefore && day < after) continue
    const key = `${prompt} ${engine}`
    const cell = cells.get(key) ?? { prompt, previous: { n: 0, s: 0 }, current: { n: 0, s: 0 } }
    cells.set(key, cell)
    const side = isBefore ? cell.previous : cell.current
    side.n++
    if (named[0]) side.s++
  }
  return [...cells.values()]
}
