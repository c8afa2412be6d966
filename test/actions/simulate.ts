/**
 * What docs/methods.md says of verdicts in simulated worlds, in its long form: `node test/actions/simulate.ts [worlds]`,
 * 2,000 of each kind unless given. Fails when more are false than the page promises.
 */
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { WORLD_KINDS } from '../statistics/worlds.ts'
import { CARD_WORLDS, type CardWorlds, measureVerdicts } from './support/verdict-worlds.ts'

/** Of 2,000 worlds in which 5 % are false, this share comes by chance in 2 of 100 kinds; see docs/methods.md. */
const FALSE_MAX = 0.06
const worlds = Number(process.argv[2] ?? 2_000)
const studentT = await loadStudentT()
let missed = 0

const show = (share: number): string => `${(100 * share).toFixed(1)} %`
function row(name: string, card: CardWorlds, raised: boolean): readonly number[] {
  const shares = WORLD_KINDS.map((kind) => {
    const { improved, declined } = measureVerdicts(kind, card, { worlds, studentT, raised })
    return raised ? improved : improved + declined
  })
  console.log(`| ${name} | ${shares.map(show).join(' | ')} |`)
  return shares
}

console.log(`False verdicts, of ${worlds} worlds in which nothing changes (at most ${show(FALSE_MAX)})`)
for (const [name, card] of Object.entries(CARD_WORLDS)) {
  missed += row(name, card, false).filter((share) => share > FALSE_MAX).length
}
console.log('False verdicts when the window of the pick is the one before')
for (const [name, card] of Object.entries(CARD_WORLDS)) {
  if (card.picked !== undefined) row(name, { ...card, heldAgainst: 'the window of the pick' }, false)
}
console.log('Called improved, where the target prompts go from 20 to 33 %')
for (const [name, card] of Object.entries(CARD_WORLDS)) if (card.picked === undefined) row(name, card, true)

console.log(missed === 0 ? 'met' : `MISSED: ${missed} figures`)
process.exitCode = missed === 0 ? 0 : 1
