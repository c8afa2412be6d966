import { describe, expect, it } from 'vitest'
import { ENGINE_IDS } from '../../../src/domain/enums.ts'
import { loadStudentT } from '../../../src/statistics/student-t.ts'
import { EIGHT_WEEKS, simulateWorld } from '../../statistics/worlds.ts'
import { makeWorld, type WorldRecord } from '../../support/oracle/world.ts'
import { serveWorld } from '../support/served-world.ts'
import { COMPARISONS, measureChanges } from './simulated.ts'

const studentT = await loadStudentT()
const WORLDS = 250

describe('of worlds in which nothing changes', () => {
  // Of 250 worlds 5 % are 12 or 13; more than 25 come by chance in one of 2,000 runs. The long form has 2,000 worlds.
  it.each(['independent', 'correlated days', 'drifting prompts'] as const)('few are called changed: %s', (kind) => {
    for (const name of ['mention rate, 12 prompts', 'mention rate, 8 prompts', 'share of voice, 12 prompts']) {
      const { up, down } = measureChanges(kind, COMPARISONS[name]!, { worlds: WORLDS, studentT })
      expect(up + down, name).toBeLessThan(0.1)
    }
  })
})

it('sees a share that goes from 20 to 33 %, and says in which direction', () => {
  const raised = { prompts: new Set(Array.from({ length: 12 }, (_, prompt) => prompt)), day: 28, from: 0.2, to: 0.33 }
  const comparison = COMPARISONS['mention rate, 12 prompts']!
  const { up, down } = measureChanges(
    'correlated days',
    { ...comparison, options: { ...comparison.options, raised } },
    { worlds: WORLDS, studentT },
  )
  expect(up).toBeGreaterThan(0.9)
  expect(down).toBe(0)
})

it('names each engine whose model changed, and no other', async () => {
  for (const key of ['a', 'b', 'c']) {
    const { answers, changes } = simulateWorld('changed models', key, EIGHT_WEEKS)
    const base = makeWorld('simulated', { share: 0, morePrompts: EIGHT_WEEKS.prompts })
    const toDay = (day: number): string => new Date(Date.UTC(2026, 7, 3 + day)).toISOString().slice(0, 10)
    const records = answers.map(({ prompt, engine, day, named }, index): WorldRecord => ({
      id: `${key}-${index}`,
      date: toDay(day),
      platform: ENGINE_IDS[engine]!,
      prompt_id: `more-${prompt}`,
      text: named[0] === true ? 'Acme it is.' : 'Nothing of note.',
      model: day >= (changes.get(engine) ?? Infinity) ? 'model-2' : 'model-1',
    }))
    const served = await serveWorld({ ...base, imports: [[records]] })
    try {
      const { body } = await served.ask('/v1/reports/changes', {
        compare_start_date: toDay(0),
        compare_end_date: toDay(27),
        start_date: toDay(28),
        end_date: toDay(55),
        metric: 'mention_rate',
      })
      const { notes } = body.info as { readonly notes?: readonly string[] }
      const engines = [...changes.keys()].toSorted((a, b) => a - b).map((engine) => ENGINE_IDS[engine])
      expect(engines.length).toBeGreaterThan(0)
      expect(notes?.map((note) => note.split(', ')[0])).toEqual(engines.map((engine) => `${engine}: the model changed`))
      expect(notes?.every((note) => note.includes('model-2'))).toBe(true)
      expect(body.data[0]).toMatchObject({ cells: 48, excluded: 0 })
    } finally {
      await served.close()
    }
  }
}, 60_000)
