import type { Agreement } from '../src/collect/judge/agreement.ts'
import type { Evaluation } from '../src/collect/judge/evaluate-judge.ts'
import type { Judge } from '../src/collect/judge/judge.ts'
import { toDollars } from '../src/collect/micros.ts'
import { CommandError } from '../src/errors.ts'
import { readConfig } from '../src/config.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { toIntegerForm } from './flags.ts'
import { countOf } from './format.ts'
import { type Io, printJson, printLine, printNote } from './io.ts'
import { JUDGE_FLAGS } from './judge-flags.ts'
import { openProgress } from './progress.ts'
import { readOperand, toInputName } from './read-operand.ts'
import { BUDGET_FLAG } from './scan-flags.ts'
import { printTable } from './table.ts'
import { toUsd } from './usd.ts'

export const evaluate = defineCommand({
  summary: 'Hold a language model that judges against labels, and show how far it agrees with them',
  notes: [
    'Without a FILE the labelled set that comes with the program is asked about; a FILE holds one of your own in the same form: {"examples": [{"id", "brand", "text", "sentiment", "language", "kind"}]}. Nothing is stored.',
    "Agreement is the share agreed on with Wilson's interval, and Cohen's kappa, which takes out what chance gives. A class counts against the other two.",
    'Exits 3 when some examples got no judgement; they are left out of the figures.',
  ],
  args: {
    ...JUDGE_FLAGS,
    budget: { ...BUDGET_FLAG.budget, required: true, description: 'the most that this evaluation may cost' },
    limit: {
      type: 'string',
      form: toIntegerForm(1, 100_000),
      valueHint: 'N',
      description: 'ask about the first examples alone',
    },
    ...JSON_FLAG,
    file: {
      type: 'positional',
      required: false,
      valueHint: 'FILE',
      description: 'labelled examples, or - for standard input',
    },
  },
  examples: [
    'sentiment evaluate --budget 1',
    'sentiment evaluate --provider anthropic --model claude-haiku-4-5 --budget 1 --json',
    'sentiment evaluate --budget 1 our-examples.json',
  ],
  async run(context) {
    const { args, io, environment, clock, signal } = context
    const [{ readJudgeSetup, requireSecret }, { evaluateJudge }, { listLabelledAnswers, parseLabelledAnswers }] =
      await Promise.all([
        import('../src/collect/judge/judge-setup.ts'),
        import('../src/collect/judge/evaluate-judge.ts'),
        import('../src/reference/labelled-answers.ts'),
      ])
    const { dataDir } = await readConfig({ dataDir: context.dataDir, environment, flags: {} })
    const setup = await readJudgeSetup(dataDir, environment, args)
    requireSecret(setup)
    const all =
      args.file === undefined
        ? listLabelledAnswers()
        : parseLabelledAnswers(await readOperand(args.file, io), toInputName(args.file))
    const examples = all.slice(0, args.limit)
    const progress = openProgress('asking', io, clock)
    const evaluation = await evaluateJudge({
      setup,
      examples,
      budgetMicros: args.budget,
      environment,
      signal,
      now: () => clock.now(),
      onProgress: (done) =>
        progress.report({ done, total: examples.length, note: `${done} of ${countOf(examples.length, 'example')}` }),
    }).finally(() => progress.close())
    if (signal.aborted) throw new CommandError('the figures would be of some examples alone, so none are shown')
    if (args.json) printJson(io, toJson(setup.judge, evaluation))
    else print(io, setup.judge, evaluation)
    return evaluation.failures.length === 0 ? 0 : 3
  },
})

function toJson({ id, model }: Judge, { costMicros, failures, ...report }: Evaluation): object {
  return { provider: id, model, cost_usd: toDollars(costMicros), failures, ...report }
}

function print(io: Io, { id, model }: Judge, evaluation: Evaluation): void {
  const { all, by_sentiment, by_language, by_kind, disagreements, failures, costMicros } = evaluation
  printLine(io, `${id}:${model}, ${countOf(all.examples, 'example')}, ${toUsd(costMicros)} USD`)
  printAgreement(io, 'of', [all, ...by_sentiment])
  io.stdout.write('\n')
  printAgreement(io, 'language', by_language)
  io.stdout.write('\n')
  printAgreement(io, 'kind', by_kind)
  if (disagreements.length > 0) io.stdout.write('\n')
  printTable(
    io,
    ['example', 'label', 'judged', 'reason for the label'],
    disagreements.map(({ id: example, label, judged, reason }) => [example, label, judged, reason]),
  )
  for (const { reason, examples } of failures)
    printNote(io, `${countOf(examples, 'example')} without a judgement: ${reason}`)
}

function printAgreement(io: Io, title: string, rows: readonly Agreement[]): void {
  printTable(
    io,
    [title, 'examples', 'agreed', 'accuracy', '95 %', 'kappa', '95 %'],
    rows.map((row) => [
      row.name,
      row.examples,
      row.agreed,
      toText(row.accuracy),
      toRange(row.accuracy_interval),
      toText(row.kappa),
      toRange(row.kappa_interval),
    ]),
  )
}

const toText = (value: number | null): string | null => (value === null ? null : toHundredths(value))

function toRange(interval: Agreement['kappa_interval']): string | null {
  return interval === null ? null : `${toHundredths(interval.low)} to ${toHundredths(interval.high)}`
}

/** Without a minus before nothing. */
const toHundredths = (value: number): string => (Math.round(value * 100) / 100 + 0).toFixed(2)
