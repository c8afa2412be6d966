/**
 * Twenty data sets and what the program makes of them (of the jackknife, what reports are held to), as JSON, for `outside-check.py`, which has statsmodels make the
 * same: `node test/statistics/data-sets.ts | python3 test/statistics/outside-check.py`.
 */
import { seededRandom } from '../../data/demo/generator/random.ts'
import { compareRates } from '../../src/reports/changes/change.ts'
import { toClusteredVariance, toDesignEffect, toRate } from '../../src/statistics/rate.ts'
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { findJackknife } from '../support/oracle/certainty.ts'

const DATA_SETS = 20
const studentT = await loadStudentT()

const sets = Array.from({ length: DATA_SETS }, (_, set) => {
  const random = seededRandom(`outside ${set}`)
  const prompts = Array.from({ length: random.between(3, 40) }, (_, prompt) => {
    const share = random.next() ** 2
    const count = (): { answers: number; hits: number } => {
      const answers = random.between(1, 60)
      return { answers, hits: Array.from({ length: answers }, () => random.chance(share)).filter(Boolean).length }
    }
    const cells = Array.from({ length: random.between(1, 3) }, () => ({ before: count(), after: count() }))
    return { prompt, cells, voices: random.between(200, 400) }
  })
  const counts = prompts.map(({ cells }) => ({
    answers: cells.reduce((sum, { before }) => sum + before.answers, 0),
    hits: cells.reduce((sum, { before }) => sum + before.hits, 0),
  }))
  const { hits, effectiveAnswers, interval } = toRate(counts, [], studentT)
  const voices = prompts.reduce((sum, each) => sum + each.voices, 0)
  const leftOut = prompts.map(({ voices: own }, place) => (hits - (counts[place]?.hits ?? 0)) / (voices - own))
  const changed = compareRates(
    prompts.flatMap(({ prompt, cells }) =>
      cells.map(({ before, after }) => ({
        prompt,
        previous: { n: before.answers, s: before.hits },
        current: { n: after.answers, s: after.hits },
      })),
    ),
  )
  return {
    prompts,
    found: {
      variance: toClusteredVariance(counts),
      design_effect: toDesignEffect(counts),
      effective_answers: effectiveAnswers,
      rate: interval,
      share: findJackknife(hits / voices, leftOut, 1),
      change: changed?.change,
      change_variance: changed?.variance,
    },
  }
})
process.stdout.write(JSON.stringify(sets))
