import { JUDGE_PROVIDERS } from '../src/collect/judge/bodies.ts'

/** Which model judges. */
export const JUDGE_FLAGS = {
  provider: {
    type: 'enum',
    options: JUDGE_PROVIDERS,
    description: 'whose model judges (default: judge of scan.json)',
  },
  model: {
    type: 'string',
    valueHint: 'MODEL',
    description: "name of the model (default: judge of scan.json, else the provider's usual one)",
  },
} as const
