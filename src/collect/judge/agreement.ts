import { type Sentiment, SENTIMENTS } from '../../domain/enums.ts'
import type { LabelledAnswer } from '../../reference/labelled-answers.ts'
import { toKappa } from '../../statistics/kappa.ts'
import type { Interval } from '../../statistics/interval.ts'
import { toWilsonInterval } from '../../statistics/rate.ts'

/** How far a judge agrees with the labels of some examples; `name` says of which. */
export interface Agreement {
  readonly name: string
  /** Those that the judge judged. */
  readonly examples: number
  readonly agreed: number
  /** Null without examples. */
  readonly accuracy: number | null
  /** Wilson's, of 95 % (docs/methods.md 3). */
  readonly accuracy_interval: Interval | null
  /** Cohen's, with its interval of 95 % (docs/methods.md 22); null where it can't be told. */
  readonly kappa: number | null
  readonly kappa_interval: Interval | null
}

/** What an evaluation finds. */
export interface AgreementReport {
  readonly all: Agreement
  /** Each class against the other two: an example agrees where both say that class, or neither does. */
  readonly by_sentiment: readonly (Agreement & {
    /** Of those that the judge gave the class, the share that are labelled so; null where it gave it to none. */
    readonly precision: number | null
    /** Of those that are labelled so, the share that the judge gave the class. */
    readonly recall: number | null
  })[]
  readonly by_language: readonly Agreement[]
  /** By what makes the examples easy or hard. */
  readonly by_kind: readonly Agreement[]
  /** Counts: rows by label, columns by judge, both positive, neutral, negative. */
  readonly confusion: readonly (readonly number[])[]
  readonly disagreements: readonly Disagreement[]
}

interface Disagreement {
  readonly id: string
  readonly label: Sentiment
  readonly judged: Sentiment
  readonly text: string
  readonly reason: string
}

/** An example and what the judge said of it. */
interface Pair {
  readonly example: LabelledAnswer
  readonly judged: Sentiment
}

/** Holds judgements, by the examples' ids, against the labels. Examples without one are left out. */
export function measureAgreement(
  examples: readonly LabelledAnswer[],
  judgements: ReadonlyMap<string, Sentiment>,
): AgreementReport {
  const pairs = examples.flatMap((example): Pair[] => {
    const judged = judgements.get(example.id)
    return judged === undefined ? [] : [{ example, judged }]
  })
  return {
    all: measure('all', pairs),
    by_sentiment: SENTIMENTS.map((sentiment) => measureClass(sentiment, pairs)),
    by_language: measureGroups(pairs, ({ example }) => example.language),
    by_kind: measureGroups(pairs, ({ example }) => example.kind),
    confusion: toTable(pairs),
    disagreements: pairs
      .filter(({ example, judged }) => example.sentiment !== judged)
      .map(({ example: { id, sentiment: label, text, reason }, judged }) => ({ id, label, judged, text, reason })),
  }
}

const measure = (name: string, pairs: readonly Pair[]): Agreement => toAgreement(name, toTable(pairs))

/** In the order of first appearance. */
function measureGroups(pairs: readonly Pair[], nameOf: (pair: Pair) => string): Agreement[] {
  return [...Map.groupBy(pairs, nameOf)].map(([name, group]) => measure(name, group))
}

function measureClass(sentiment: Sentiment, pairs: readonly Pair[]): AgreementReport['by_sentiment'][number] {
  const count = (isLabelled: boolean, isJudged: boolean): number =>
    pairs.filter(
      ({ example, judged }) => (example.sentiment === sentiment) === isLabelled && (judged === sentiment) === isJudged,
    ).length
  const both = count(true, true)
  const [labelledOnly, judgedOnly] = [count(true, false), count(false, true)]
  const table = [
    [both, labelledOnly],
    [judgedOnly, count(false, false)],
  ]
  return {
    ...toAgreement(sentiment, table),
    precision: toShare(both, both + judgedOnly),
    recall: toShare(both, both + labelledOnly),
  }
}

function toAgreement(name: string, table: readonly (readonly number[])[]): Agreement {
  const examples = table.flat().reduce((sum, count) => sum + count, 0)
  const agreed = table.reduce((sum, row, no) => sum + (row[no] ?? 0), 0)
  const accuracy = toShare(agreed, examples)
  const { kappa, interval } = toKappa(table)
  return {
    name,
    examples,
    agreed,
    accuracy,
    accuracy_interval: accuracy === null ? null : toWilsonInterval(accuracy, examples),
    kappa,
    kappa_interval: interval,
  }
}

function toTable(pairs: readonly Pair[]): number[][] {
  return SENTIMENTS.map((label) =>
    SENTIMENTS.map(
      (given) => pairs.filter(({ example, judged }) => example.sentiment === label && judged === given).length,
    ),
  )
}

const toShare = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
