import type { Budget, SpendLimits } from '../../domain/call.ts'
import { CommandError } from '../../errors.ts'
import { describeMissingSecret } from '../scan-setup.ts'
import { parseScanConfig, readScanConfig, type ScanConfig, toScanConfigPath } from '../scan-config.ts'
import { readSecrets, type Secrets } from '../secrets.ts'
import { type Judge, type JudgeChoice, resolveJudge } from './judge.ts'

/** Who judges, with which secret, and what `scan.json` says beside it. */
export interface JudgeSetup {
  readonly config: ScanConfig
  readonly judge: Judge
  readonly secrets: Secrets
}

/** Reads `scan.json`, which may be missing, and the secrets. Throws CommandError where nobody can be asked. */
export async function readJudgeSetup(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  choice: JudgeChoice,
): Promise<JudgeSetup> {
  const path = toScanConfigPath(dataDir)
  const config = (await readScanConfig(dataDir)) ?? parseScanConfig({}, path)
  return { config, judge: resolveJudge(config, choice), secrets: await readSecrets(environment) }
}

/** Throws CommandError for want of a judge's secret. A gateway of one's own may take everybody. */
export function requireSecret({ judge, secrets }: JudgeSetup): void {
  const missing = describeMissingSecret(secrets, judge.id)
  if (missing === undefined || (judge.id === 'custom' && secrets.find('custom').kind === 'missing')) return
  throw new CommandError(`${judge.provider.name} cannot be asked: ${missing}.`)
}

/** What may be spent: by `scan.json`, and by one run. Throws CommandError where neither says so. */
export function toBudget({ config }: JudgeSetup, runMicros: number | undefined): Budget {
  const { budget } = config
  const isLimited = (limits: SpendLimits | undefined): boolean =>
    limits?.dayMicros !== undefined || limits?.monthMicros !== undefined
  if (runMicros === undefined && !isLimited(budget)) {
    throw new CommandError(`A paid call needs a limit: give --budget USD, or write "budget" into ${config.path}.`)
  }
  return { dayMicros: undefined, monthMicros: undefined, targets: new Map(), ...budget, runMicros }
}
