import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openCatalog, type Catalog } from '../../src/catalog/catalog.ts'
import { resolveJudge } from '../../src/collect/judge/judge.ts'
import { requireSecret } from '../../src/collect/judge/judge-setup.ts'
import { measureReplies } from '../../src/collect/kept-replies.ts'
import { readScanSetup, describeMissingSecret, type ScanSetup } from '../../src/collect/scan-setup.ts'
import { toSecretVariable } from '../../src/read-secret.ts'
import { shiftDay, toDay } from '../../src/domain/day.ts'
import { countOf, toSize } from '../format.ts'
import { isLoopback } from '../link-origin.ts'
import { ok, problem, toReason, warning, type Finding, type Patient } from './finding.ts'

/** Days whose uncertain calls are still worth a word. */
const UNCERTAIN_DAYS = 7

/** Whether what is to be asked can be asked: `scan.json`, the secrets for it, its budget, and what became of the last scans. */
export async function checkCollecting(patient: Patient): Promise<readonly Finding[]> {
  const check = 'collecting'
  let setup: ScanSetup | undefined
  try {
    setup = await readScanSetup(patient.dataDir, patient.environment)
  } catch (error) {
    return [
      problem(
        check,
        toReason(error).replaceAll(/\n\s*/g, ' '),
        'see docs/collecting.md; `answerlake scan targets` shows the targets',
      ),
    ]
  }
  const judge = setup === undefined ? [] : checkJudge(setup)
  if (setup === undefined || setup.targets.length === 0) {
    return [ok(check, 'nothing is asked: no targets are configured'), ...judge]
  }
  return [
    ok(check, `${countOf(setup.targets.length, 'target')} configured`),
    ...judge,
    ...(await checkSecrets(setup, patient)),
    ...checkAddresses(setup),
    ...checkBudget(setup),
    await checkReplies(setup, patient),
  ]
}

/** Whether the judge of `scan.json` can be asked, for those who call `sentiment judge`. */
function checkJudge({ config, secrets }: ScanSetup): readonly Finding[] {
  const check = 'judge'
  if (config.judge === undefined) return []
  try {
    const judge = resolveJudge(config, {})
    requireSecret({ config, judge, secrets })
    return [ok(check, `${judge.id}:${judge.model}, which \`answerlake sentiment judge\` alone asks`)]
  } catch (error) {
    return [warning(check, toReason(error), '`answerlake sentiment judge` asks nobody; see docs/sentiment.md')]
  }
}

async function checkSecrets({ targets, secrets }: ScanSetup, { environment }: Patient): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const provider of new Set(targets.map((target) => target.provider))) {
    const missing = describeMissingSecret(secrets, provider)
    if (missing !== undefined) {
      findings.push(
        warning(
          'secrets',
          missing,
          'its targets are not asked without it; run doctor with the environment of the service',
        ),
      )
      continue
    }
    const file = environment[`${toSecretVariable(provider)}_FILE`]
    const mode =
      file === undefined
        ? 0
        : await stat(file).then(
            (found) => found.mode,
            () => 0,
          )
    if ((mode & 0o044) !== 0)
      findings.push(warning('secrets', `${file} can be read by other accounts`, `chmod 600 '${file}'`))
  }
  return findings.length > 0 ? findings : [ok('secrets', 'there is one for each provider')]
}

/** A secret must not travel in clear text beyond the machine. */
function checkAddresses({ targets }: ScanSetup): readonly Finding[] {
  const open = new Map(targets.map(({ provider, baseUrl }) => [provider, new URL(baseUrl)]))
  return [...open].flatMap(([provider, { protocol, hostname, origin }]) =>
    protocol === 'https:' || hostname === 'localhost' || isLoopback(hostname)
      ? []
      : [
          warning(
            'collecting',
            `the secret for ${provider} goes to ${origin} in clear text`,
            'use an https:// address',
          ),
        ],
  )
}

function checkBudget({ config: { budget, schedules } }: ScanSetup): readonly Finding[] {
  if (budget?.dayMicros !== undefined || budget?.monthMicros !== undefined) return [ok('budget', 'there is one')]
  const message = budget === undefined ? 'there is none' : 'there is none of the organization, only of single targets'
  return schedules.length > 0 || budget !== undefined
    ? [warning('budget', message, 'add "budget": {"usd_day": …} to scan.json; schedules ask nothing without one')]
    : [ok('budget', `${message}: each scan needs --budget`)]
}

async function checkReplies({ config: { keepRaw } }: ScanSetup, { dataDir }: Patient): Promise<Finding> {
  try {
    const { files, bytes } = await measureReplies(dataDir)
    const kept = keepRaw === 'keep' ? 'kept forever' : `kept for ${keepRaw}`
    return ok('raw replies', `${countOf(files, 'file')} (${toSize(bytes)}), ${kept}`)
  } catch (error) {
    return warning('raw replies', toReason(error), 'correct the permissions of scans/ in the data directory')
  }
}

/** The last run of each site, and calls that may have been bought. Nothing where none was ever made. */
export async function checkScans({ dataDir, clock }: Patient): Promise<readonly Finding[]> {
  try {
    using catalog = openCatalog(join(dataDir, 'catalog.sqlite'), { clock, mode: 'command' })
    const today = toDay(clock.now())
    return catalog.sites
      .list()
      .flatMap(({ id, domain }) => [
        ...checkLastRun(catalog, id, domain),
        ...checkUncertain(catalog, id, domain, today),
      ])
  } catch (error) {
    return [warning('scans', toReason(error), 'see the findings above; nothing was checked here')]
  }
}

function checkLastRun(catalog: Catalog, siteId: string, domain: string): readonly Finding[] {
  const [run] = catalog.scanRuns.list(siteId, 'answer')
  if (run === undefined) return []
  const isRunning = catalog.scanRuns.findAlive(siteId, 'answer')?.id === run.id
  if (run.status === 'complete' || isRunning) return [ok('scans', `${domain}: ${run.day} ${run.status}`)]
  const what = run.status === 'running' ? 'cut off' : run.status
  const why = run.reason === undefined ? '' : `: ${run.reason}`
  return [warning('scans', `${domain}: ${run.day} ${what}${why}`, `see \`answerlake scan status --site ${domain}\``)]
}

function checkUncertain(catalog: Catalog, siteId: string, domain: string, today: string): readonly Finding[] {
  const days = Array.from({ length: UNCERTAIN_DAYS }, (_, ago) => shiftDay(today, -ago))
  return days.flatMap((day) => {
    const calls = catalog.calls.summarize({ siteId, kind: 'answer', day })
    const uncertain = calls.reduce((sum, { byStatus }) => sum + byStatus.uncertain, 0)
    return uncertain === 0
      ? []
      : [
          warning(
            'scans',
            `${domain}: ${countOf(uncertain, 'call')} of ${day} may have been bought without an answer`,
            `look at the provider's bill; \`answerlake scan retry --uncertain --site ${domain} --date ${day}\` asks again`,
          ),
        ]
  })
}
