import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../../client/client.ts'
import { listDays } from '../../days.ts'
import { toCount, toCountOf, toDays, toList, toLongDay, toNumber, toPercent, toShortDay } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../parts/shown.tsx'
import { type Gaps, findGaps, type Note, readNotes, toRuns } from './health.ts'
import type { PartProps } from './part-props.ts'

type Grade = Schemas['Grade']

const GRADES: Readonly<Record<Grade, { readonly word: string; readonly sentence: string }>> = {
  exploratory: { word: 'first look', sentence: 'good for a first look, not for more' },
  directional: { word: 'direction', sentence: 'good enough to see a direction, not to decide on a single number' },
  decision: { word: 'decision', sentence: 'good enough to decide on' },
}
const STATUSES = {
  complete: 'complete',
  partial: 'some prompts or engines were not asked',
  failed: 'no engine gave an answer',
  running: 'running now',
} as const

interface Fact {
  readonly what: string
  readonly said: ComponentChildren
  readonly grade?: Grade
}

/** How far the numbers above can be leaned on: what was scanned, what is missing, and the grade of it all. */
export function HealthPanel({ site, range, questions, replies }: PartProps) {
  const quality = replies.quality.value
  const gaps = findGaps(range, site.platforms, replies.scanned.value ?? [])
  const facts: Fact[] = [
    { what: 'Last scan', said: toScan(site) },
    { what: 'Days with answers', said: toDaysSaid(gaps, listDays(range).length), ...gradeOf(quality?.days) },
    { what: 'Engines with answers', said: toEnginesSaid(gaps, site.platforms), ...gradeOf(quality?.engines) },
    ...(quality === undefined ? [] : toFacts(quality)),
    {
      what: 'Models',
      said:
        questions.changes.mention_rate === undefined ? (
          'Not compared: switch the comparison on to see whether engines changed their models.'
        ) : (
          <Said of={replies.changes.mention_rate}>{({ info }) => <Models notes={readNotes(info)} />}</Said>
        ),
    },
  ]
  return (
    <Panel
      title="How good the data are"
      sentence={
        quality === undefined ? undefined : `As a whole, this measurement is ${GRADES[quality.grade].sentence}.`
      }
      questions={[questions.scanned, questions.quality, questions.changes.mention_rate]}
      method="quality"
      loading={[replies.quality, replies.scanned]}
      later={[replies.changes.mention_rate]}
    >
      <dl class="data-facts">
        {facts.map(({ what, said, grade }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd class="fact-said">{said}</dd>
            <dd class="fact-grade">{grade !== undefined && <GradeMark grade={grade} />}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function Models({ notes }: { readonly notes: readonly Note[] }) {
  const changed = notes.filter(({ isModelChange }) => isModelChange)
  if (changed.length === 0) return <>No engine changed its model, as far as the answers say.</>
  return (
    <>
      {changed.map(({ engine, text }) => (
        <p key={engine}>
          {ENGINE_NAMES[engine]}: {text.replaceAll(/\d{4}-\d\d-\d\d/g, toShortDay)} A new model moves numbers by itself.
        </p>
      ))}
    </>
  )
}

function GradeMark({ grade }: { readonly grade: Grade }) {
  return (
    <span class={`grade grade-${grade}`}>
      <span class="unseen">Good for a </span>
      {GRADES[grade].word}
    </span>
  )
}

const gradeOf = (part: { readonly grade: Grade } | undefined): { grade?: Grade } =>
  part === undefined ? {} : { grade: part.grade }

function toScan({ last_answer_scan: scan }: Schemas['Site']): string {
  return scan === null ? 'none yet' : `${toLongDay(scan.date)}, ${STATUSES[scan.status]}`
}

const NAMED_MAX = 5

function toDaysSaid({ days }: Gaps, all: number): string {
  const counted = `${toCount(all - days.length)} of ${toCount(all)}`
  if (days.length === 0) return counted
  const runs = toRuns(days).map(({ start_date, end_date }) =>
    start_date === end_date ? toShortDay(start_date) : toDays(start_date, end_date),
  )
  const rest = runs.length > NAMED_MAX ? [`${toCount(runs.length - NAMED_MAX)} more gaps`] : []
  return `${counted}; none on ${toList([...runs.slice(0, NAMED_MAX), ...rest])}`
}

function toEnginesSaid({ engines, partial }: Gaps, all: readonly Schemas['EngineId'][]): string {
  const counted = `${toCount(all.length - engines.length)} of ${toCount(all.length)}`
  if (engines.length === all.length) return counted
  const missing = engines.map((engine) => `${ENGINE_NAMES[engine]} on no day`)
  const some = partial.map(({ engine, missing }) => `${ENGINE_NAMES[engine]} missing on ${toCountOf(missing, 'day')}`)
  return [counted, ...missing, ...some].join('; ')
}

function toFacts(quality: Schemas['Quality']): Fact[] {
  const { prompts, answers_per_cell_week: answers, categories, reproducibility } = quality
  return [
    { what: 'Prompts with answers', said: toCount(prompts.value), grade: prompts.grade },
    {
      what: 'Answers to a prompt, by engine and week',
      said: `${toNumber(answers.value)} (median)`,
      grade: answers.grade,
    },
    { what: 'Categories with five prompts or more', said: toCount(categories.value), grade: categories.grade },
    reproducibility === null
      ? {
          what: 'Same question, same day',
          said: 'No prompt was asked twice on one day, so nobody knows how much answers vary by chance.',
        }
      : {
          what: 'Same question, same day',
          said: `${toPercent(reproducibility.agreement)} of pairs of answers agree on naming the brand; chance alone moves the rate by up to ${toNumber(reproducibility.noise_floor * 100)} points`,
          grade: reproducibility.grade,
        },
  ]
}
