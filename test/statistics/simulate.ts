/**
 * What docs/methods.md says of simulated worlds, in its long form: `node test/statistics/simulate.ts [worlds]`, 2,000 of
 * each kind unless given. Fails when a figure is not what the page promises.
 */
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { COVERAGE_WORLDS, measureCoverage } from './coverage.ts'
import { WORLD_KINDS } from './worlds.ts'

const worlds = Number(process.argv[2] ?? 2_000)
const studentT = await loadStudentT()
let missed = 0

console.log(`Intervals that hold the truth, of ${worlds} worlds (at least 92 %), and their width`)
for (const [size, options] of Object.entries(COVERAGE_WORLDS)) {
  for (const kind of WORLD_KINDS) {
    const { mention_rate, share_of_voice } = measureCoverage(kind, options, worlds, studentT)
    if (Math.min(mention_rate.covered, share_of_voice.covered) < 0.92) missed++
    const show = ({ covered, width }: typeof mention_rate): string =>
      `${(100 * covered).toFixed(1)} % (${(100 * width).toFixed(1)} points)`
    console.log(`| ${size} | ${kind} | ${show(mention_rate)} | ${show(share_of_voice)} |`)
  }
}

console.log(missed === 0 ? 'met' : `MISSED: ${missed} figures`)
process.exitCode = missed === 0 ? 0 : 1
