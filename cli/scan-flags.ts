import { toMicros } from '../src/collect/micros.ts'
import { SAMPLES_MAX } from '../src/limits.ts'
import { UsageError } from '../src/errors.ts'
import { GIVEN_ID } from '../src/ids.ts'
import type { Form } from './command.ts'
import { parsePlatforms, toIntegerForm } from './flags.ts'

/** What narrows a scan, of `scan plan` and `scan run`. */
export const SCAN_FLAGS = {
  prompts: {
    type: 'string',
    valueHint: 'LIST',
    description: 'ids of prompts, comma-separated; all active ones by default',
  },
  platforms: { type: 'string', valueHint: 'LIST', description: 'engines, comma-separated; all targets by default' },
  samples: {
    type: 'string',
    form: toIntegerForm(1, SAMPLES_MAX),
    valueHint: 'N',
    description: 'answers to each prompt from each target (default: that of scan.json, else 1)',
  },
} as const

/** US dollars, in micro-dollars. */
const USD_FORM: Form<number> = {
  is: 'an amount of US dollars such as 5 or 0.50',
  read: (text) => (/^\d{1,6}(\.\d{1,6})?$/.test(text) ? toMicros(Number(text)) : undefined),
}

export const BUDGET_FLAG = {
  budget: {
    type: 'string',
    form: USD_FORM,
    valueHint: 'USD',
    description: 'the most that this run may spend, beside the budget of scan.json',
  },
} as const

/** What the flags narrow a scan to. Throws UsageError. */
export function toSelection(args: {
  readonly prompts: string | undefined
  readonly platforms: string | undefined
  readonly samples: number | undefined
}) {
  const promptIds = args.prompts?.split(',').map((id) => id.trim())
  const wrong = promptIds?.find((id) => !GIVEN_ID.test(id))
  if (wrong !== undefined) throw new UsageError(`--prompts must be ids of prompts, separated by commas, not "${wrong}"`)
  return {
    ...(promptIds === undefined ? {} : { promptIds: [...new Set(promptIds)] }),
    platforms: parsePlatforms(args.platforms),
    samples: args.samples,
  }
}
