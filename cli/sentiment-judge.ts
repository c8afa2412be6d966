import { toDollars } from '../src/collect/micros.ts'
import type { Judge } from '../src/collect/judge/judge.ts'
import type { JudgePlan, JudgeRequest, JudgeResult } from '../src/collect/judge/judge-answers.ts'
import { CommandError, UsageError } from '../src/errors.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { DAY_FORM, toIntegerForm } from './flags.ts'
import { countOf } from './format.ts'
import { type Io, printJson, printLine, printNote } from './io.ts'
import { JUDGE_FLAGS } from './judge-flags.ts'
import { openProgress } from './progress.ts'
import { BUDGET_FLAG } from './scan-flags.ts'
import { printTable } from './table.ts'
import { toUsd } from './usd.ts'
import { withAppAndSite } from './with-app.ts'

export const judge = defineCommand({
  summary: 'Ask a language model how stored answers speak of the own brand; nothing is asked unless this is called',
  notes: [
    'Asked about are answers of the days that name the own brand and have no sentiment; what a record brought or somebody judged stays. Each is asked about once by a model and version of the prompt, so a second call goes on where the first ended. docs/sentiment.md prints the prompt.',
    'Money is reserved before each call and never exceeds the budget. Ctrl-C begins no further call and waits for those under way. `import list` shows the judgements, `import undo` takes them back.',
    'Exits 3 when some calls failed, were skipped for want of budget, or may have been paid without a reply.',
  ],
  args: {
    ...SITE_FLAG,
    from: { type: 'string', required: true, valueHint: 'DAY', form: DAY_FORM, description: 'first UTC day' },
    to: { type: 'string', required: true, valueHint: 'DAY', form: DAY_FORM, description: 'last UTC day, included' },
    ...JUDGE_FLAGS,
    ...BUDGET_FLAG,
    limit: {
      type: 'string',
      form: toIntegerForm(1, 100_000),
      default: '10000',
      valueHint: 'N',
      description: 'answers to ask about at most',
    },
    retry: {
      type: 'boolean',
      description: 'ask again where no reply came or it was no judgement; may be paid for twice',
    },
    'dry-run': { type: 'boolean', description: 'show what would be asked and its cost; ask nobody' },
    ...JSON_FLAG,
  },
  examples: [
    'sentiment judge --site acme.com --from 2026-11-01 --to 2026-11-20 --dry-run',
    'sentiment judge --site acme.com --from 2026-11-01 --to 2026-11-20 --budget 2',
    'sentiment judge --site acme.com --from 2026-11-01 --to 2026-11-20 --provider openai --model gpt-5.4-mini --budget 2',
  ],
  async run(context) {
    const { args, io, environment, clock, signal } = context
    if (args.from > args.to) throw new UsageError('--from must not be after --to')
    const [{ readJudgeSetup, requireSecret, toBudget }, { judgeAnswers, planJudgements }, { toPace }, { getProvider }] =
      await Promise.all([
        import('../src/collect/judge/judge-setup.ts'),
        import('../src/collect/judge/judge-answers.ts'),
        import('../src/collect/targets.ts'),
        import('../src/collect/providers/index.ts'),
      ])
    return withAppAndSite(context, args.site, async (app, site) => {
      const { dataDir } = app.config
      const setup = await readJudgeSetup(dataDir, environment, args)
      const { from, to, limit, retry: retries } = args
      const request = { site, judge: setup.judge, from, to, limit, retries }
      if (args['dry-run']) {
        const plan = await planJudgements(app, request)
        if (args.json) printJson(io, toPlanJson(request, plan))
        else printPlan(io, request, plan)
        return 0
      }
      requireSecret(setup)
      const budget = toBudget(setup, args.budget)
      const progress = openProgress('judging', io, clock)
      const result = await judgeAnswers(
        {
          change: app.change,
          lake: app.lake,
          dataDir,
          environment,
          secrets: setup.secrets,
          toPace: (id) => toPace(setup.config, getProvider(id)),
          budget,
          signal,
          onProgress: ({ done, calls, costMicros }) =>
            progress.report({
              done,
              total: calls,
              note: `${done} of ${countOf(calls, 'answer')}, ${toUsd(costMicros)} USD`,
            }),
        },
        request,
      ).finally(() => progress.close())
      if (args.json) printJson(io, toResultJson(request, result))
      else printResult(io, request, result)
      if (signal.aborted) throw new CommandError(`${countOf(result.left, 'answer')} left for the next call`)
      if (result.answered > 0) await maintainAfterImport(app, site, context)
      return result.failed + result.uncertain + result.skippedBudget + result.left === 0 ? 0 : 3
    })
  },
})

/** What is asked about, and whom: the same of a plan and of what came of it. */
function toHead({ site, judge: { id, model }, from, to }: JudgeRequest, counts: JudgePlan | JudgeResult): object {
  return {
    site_id: site.id,
    provider: id,
    model,
    from,
    to,
    unjudged: counts.unjudged,
    asked_before: counts.askedBefore,
    too_long: counts.tooLong,
    calls: counts.calls,
  }
}

function toPlanJson(request: JudgeRequest, plan: JudgePlan): object {
  const { lowMicros, highMicros } = plan.cost
  return { ...toHead(request, plan), cost_usd_low: toDollars(lowMicros), cost_usd_high: toDollars(highMicros) }
}

function toResultJson(request: JudgeRequest, result: JudgeResult): object {
  return {
    ...toHead(request, result),
    run_id: result.runId,
    judged: result.answered,
    failed: result.failed,
    uncertain: result.uncertain,
    skipped_budget: result.skippedBudget,
    left: result.left,
    cost_usd: toDollars(result.costMicros),
    seconds: result.seconds,
    reasons: result.reasons,
    off: result.off,
    recovered: result.recovered,
  }
}

function printPlan(io: Io, { judge }: JudgeRequest, plan: JudgePlan): void {
  const { lowMicros, highMicros } = plan.cost
  printTable(
    io,
    ['judge', 'unjudged', 'asked before', 'too long', 'calls', 'usd low', 'usd high'],
    [[nameOf(judge), plan.unjudged, plan.askedBefore, plan.tooLong, plan.calls, toUsd(lowMicros), toUsd(highMicros)]],
  )
  printNote(io, 'This was a dry run: nobody was asked.')
}

function printResult(io: Io, { judge }: JudgeRequest, result: JudgeResult): void {
  const { recovered, calls, answered, failed, uncertain, skippedBudget, left } = result
  if (recovered.runs > 0) {
    const found = `${countOf(recovered.found, 'reply', 'replies')} found, ${countOf(recovered.uncertain, 'call')} uncertain`
    printNote(io, `an earlier call was cut off: ${found}`)
  }
  printTable(
    io,
    ['judge', 'calls', 'judged', 'failed', 'uncertain', 'skipped', 'left', 'usd'],
    [[nameOf(judge), calls, answered, failed, uncertain, skippedBudget, left, toUsd(result.costMicros)]],
  )
  for (const { reason, calls: count } of result.reasons) printLine(io, `${countOf(count, 'call')}: ${reason}`)
  for (const { reason } of result.off) printNote(io, `${judge.provider.name} is not asked any more: ${reason}`)
  if (result.askedBefore > 0) {
    printNote(io, `${countOf(result.askedBefore, 'answer')} without a sentiment were asked about before; see --retry`)
  }
  if (result.tooLong > 0) printNote(io, `${countOf(result.tooLong, 'answer')} are too long to be judged`)
}

const nameOf = ({ id, model }: Judge): string => `${id}:${model}`
