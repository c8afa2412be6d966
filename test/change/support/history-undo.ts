import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../../src/errors.ts'
import { importSentiment } from '../../../src/import-answers/import-sentiment.ts'
import { undoImport } from '../../../src/maintenance/undo.ts'
import { addCall, check, type History } from './history-calls.ts'
import type { Held, Judged } from './history-model.ts'
import type { WorldRecord } from '../../support/oracle/world.ts'

/** Takes any import back that stands; one that a later log import went on from must be refused. */
export async function undoOne({ lake, model, random }: History): Promise<void> {
  if (model.standing.size === 0) return
  const number = random.pick([...model.standing])
  const call = model.calls[number]!
  const undo = () => undoImport(lake.app.change, { id: call.importId, dryRun: false })
  if ([...model.continues].some(([later, before]) => before === number && model.standing.has(later))) {
    const outcome = await undo().catch((error: unknown) => error)
    if (outcome instanceof CommandError && outcome.message.includes('went on in a log')) return
    throw new Error('an import was taken back that another one goes on from', { cause: outcome })
  }
  const result = await undo()
  const gone = <T>(held: readonly Held<T>[]) => held.filter((one) => one.call === number)
  check('answers and no_answers taken back', result.answers + result.no_answers, gone(model.records).length)
  check('hits taken back', result.bot_hits, gone(model.events).filter(({ item }) => item.hit).length)
  check('visits taken back', result.visits, gone(model.events).filter(({ item }) => item.visit).length)
  const restored = model.records.filter((held) => held.judged?.at(-1)?.call === number)
  check('judgements taken back', result.judgements, restored.length)
  model.standing.delete(number)
  model.records = model.records.filter((held) => held.call !== number).map((held) => withoutJudgements(held, number))
  model.events = model.events.filter((held) => held.call !== number)
  for (const [line, readBy] of model.read) if (readBy === number) model.read.delete(line)
}

/** Sets the sentiment of some answers, as a later `sentiment import` does. */
export async function judgeRecords({ lake, model, random, name }: History): Promise<void> {
  const able = model.records.filter(({ item }) => item.id !== undefined && (item.text ?? '') !== '')
  const judged = new Map(able.filter(() => random.chance(0.4)).map((held) => [held, makeSentiment(random)]))
  if (judged.size === 0) return
  const path = join(lake.app.config.dataDir, '..', `judged-${name.replaceAll('/', '-')}`)
  const lines = Array.from(judged, ([{ item }, sentiment]) => JSON.stringify({ id: item.id, sentiment }))
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  const changing = [...judged].filter(([{ item }, sentiment]) => (item.sentiment ?? null) !== sentiment)
  const options = { site: lake.site, files: [path], dryRun: false, strict: true }
  const result = await importSentiment(lake.app.change, options)
  check('changed judgements', result.changed, changing.length)
  const call = addCall({ lake, model }, 'judgements', lines)
  const sentiments = new Map(changing)
  model.records = model.records.map((held) => {
    const sentiment = sentiments.get(held)
    return sentiment === undefined ? held : withJudgements(held, [...(held.judged ?? []), { call, sentiment }])
  })
}

const makeSentiment = (random: History['random']): Judged['sentiment'] =>
  random.pick(['positive', 'neutral', 'negative', null])

function withJudgements(held: Held<WorldRecord>, judged: readonly Judged[]): Held<WorldRecord> {
  const { original = held.item, call } = held
  const last = judged.at(-1)
  return { item: last ? { ...original, sentiment: last.sentiment } : original, call, original, judged }
}

function withoutJudgements(held: Held<WorldRecord>, number: number): Held<WorldRecord> {
  if (held.judged === undefined) return held
  return withJudgements(
    held,
    held.judged.filter(({ call }) => call !== number),
  )
}
