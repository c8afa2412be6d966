/** What a measurement can carry, the least first (docs/methods.md 16). */
export const GRADES = ['exploratory', 'directional', 'decision'] as const
export type Grade = (typeof GRADES)[number]

/**
 * From which value on a measurement is more than a first look: for a direction, and for a decision. Where less is better,
 * up to which. docs/methods.md 16 has the source of each.
 */
export const THRESHOLDS = {
  prompts: { directional: 12, decision: 30 },
  answers_per_cell_week: { directional: 2, decision: 7 },
  categories: { directional: 1, decision: 3 },
  days: { directional: 0.5, decision: 0.8 },
  engines: { directional: 2, decision: 3 },
  agreement: { directional: 0.667, decision: 0.8 },
  noise_floor: { directional: 0.15, decision: 0.05, lessIsBetter: true },
} as const satisfies Readonly<Record<string, Threshold>>

interface Threshold {
  readonly directional: number
  readonly decision: number
  readonly lessIsBetter?: boolean
}

/** The grade of a value by its thresholds. */
export function gradeOf(name: keyof typeof THRESHOLDS, value: number): Grade {
  const threshold: Threshold = THRESHOLDS[name]
  const reaches = (least: number): boolean => (threshold.lessIsBetter === true ? value <= least : value >= least)
  if (reaches(threshold.decision)) return 'decision'
  return reaches(threshold.directional) ? 'directional' : 'exploratory'
}

/** The least of some grades: a measurement is as good as its weakest part. */
export function leastOf(grades: readonly Grade[]): Grade {
  return GRADES.find((grade) => grades.includes(grade)) ?? 'exploratory'
}
