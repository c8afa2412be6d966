/**
 * What docs/methods.md says of changes in simulated worlds, in its long form:
 * `node test/reports/changes/simulate.ts [worlds]`, 2,000 of each kind unless given. Fails when more are false than the page
 * promises.
 */
import { loadStudentT } from '../../../src/statistics/student-t.ts'
import { WORLD_KINDS } from '../../statistics/worlds.ts'
import { type Comparison, COMPARISONS, measureChanges } from './simulated.ts'

const FALSE_MAX = 0.06
/** Student's t with G − 1 takes prompts for equal; where they aren't, a little more is false (docs/methods.md 18). */
const UNEQUAL_FALSE_MAX = 0.07
const worlds = Number(process.argv[2] ?? 2_000)
const studentT = await loadStudentT()
let missed = 0

const show = (share: number): string => `${(100 * share).toFixed(1)} %`

console.log(`Called up or down, of ${worlds} worlds in which nothing changes (at most ${show(FALSE_MAX)})`)
for (const [name, comparison] of Object.entries(COMPARISONS)) {
  const shares = [...WORLD_KINDS, 'unequal, same models'].map((kind) => {
    const { up, down } = measureKind(kind, comparison)
    return up + down
  })
  const [independent, correlated, drifting, , , unequal] = shares
  // A prompt that drifts has changed, where rows are prompts; a new model is what this can't see.
  const isOfPrompts = comparison.group_by.includes('prompt')
  const promised = [independent, correlated, ...(isOfPrompts ? [] : [drifting])]
  missed += promised.filter((share = 1) => share > FALSE_MAX).length
  if (!isOfPrompts && (unequal ?? 1) > UNEQUAL_FALSE_MAX) missed++
  console.log(`| ${name} | ${shares.map(show).join(' | ')} |`)
}

console.log('Called up, where the share goes from 20 to 33 %')
for (const [name, comparison] of Object.entries(COMPARISONS)) {
  const prompts = new Set(Array.from({ length: comparison.options.prompts }, (_, prompt) => prompt))
  const options = { ...comparison.options, raised: { prompts, day: 28, from: 0.2, to: 0.33 } }
  const shares = [...WORLD_KINDS, 'unequal, same models'].map(
    (kind) => measureKind(kind, { ...comparison, options }).up,
  )
  console.log(`| ${name} | ${shares.map(show).join(' | ')} |`)
}

function measureKind(kind: string, comparison: Comparison): { up: number; down: number } {
  const known = WORLD_KINDS.find((other) => other === kind)
  if (known !== undefined) return measureChanges(known, comparison, { worlds, studentT })
  const options = { ...comparison.options, keepsModels: true } as const
  return measureChanges('unequal', { ...comparison, options }, { worlds, studentT })
}

console.log(missed === 0 ? 'met' : `MISSED: ${missed} figures`)
process.exitCode = missed === 0 ? 0 : 1
