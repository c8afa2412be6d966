import { join } from 'node:path'
import { dayCount, toDay } from '../../../src/domain/day.ts'
import { CORRECTIONS } from './corrections.ts'
import type { State } from './state.ts'
import { type Dirs, findNewest, MONTHS, SITE } from './world.ts'

/** A command as an operator gives it. */
export interface Work {
  toCommand(dirs: Dirs): string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The state that it changes; the site's reports and what was decided of it unless given. */
  readState?(dirs: Dirs): Promise<State>
  /** Whether it is refused when it was done before. */
  readonly isOnce?: boolean
}

const ofSite = { readState: CORRECTIONS['delete site'].readState, isOnce: true }
const ageOf = (firstKept: string): string => `${dayCount(firstKept, toDay(Date.now())) - 1}d`

/** Commands that change the lake. */
export const WORKS = {
  import: { toCommand: ({ inputs }) => ['import', 'answers', '--site', SITE, join(inputs, 'more.ndjson')] },
  compact: { toCommand: () => ['lake', 'compact'] },
  'undo answers': { toCommand: (dirs) => ['import', 'undo', findNewest(dirs, 'import_answers')], isOnce: true },
  'undo logs': { toCommand: (dirs) => ['import', 'undo', findNewest(dirs, 'import_logs')], isOnce: true },
  'undo sentiment': { toCommand: (dirs) => ['import', 'undo', findNewest(dirs, 'import_sentiment')], isOnce: true },
  'import sentiment': {
    toCommand: ({ inputs }) => ['sentiment', 'import', '--site', SITE, join(inputs, 'judged-anew.ndjson')],
  },
  'replace answers': {
    toCommand: ({ inputs }) => ['import', 'answers', '--replace', '--site', SITE, join(inputs, 'corrected.ndjson')],
  },
  'delete answers': {
    toCommand: () => {
      const days = ['--from', `${MONTHS[0]}-11`, '--to', `${MONTHS[1]}-11`]
      return ['answers', 'delete', '--site', SITE, ...days, '--yes']
    },
  },
  'delete logs': {
    toCommand: () => ['logs', 'delete', '--site', SITE, '--path', '/docs/*', '--from', `${MONTHS[0]}-04`, '--yes'],
  },
  'retire answers': {
    toCommand: () => ['lake', 'retention'],
    environment: { ANSWERLAKE_RETENTION_ANSWERS: ageOf(`${MONTHS[0]}-12`) },
  },
  'retire raw': {
    toCommand: () => ['lake', 'retention'],
    environment: { ANSWERLAKE_RETENTION_RAW: ageOf(`${MONTHS[1]}-01`) },
  },
  'delete site': { toCommand: () => ['sites', 'delete', SITE, '--yes'], ...ofSite },
} as const satisfies Record<string, Work>
