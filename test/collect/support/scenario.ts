import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StepPoint } from '../../faults/support/steps.ts'
import type { Script } from '../engines/script.ts'
import type { Engines } from '../engines/server.ts'
import {
  type CallRow,
  listLeaks,
  listMispurchased,
  listMisstored,
  listSpools,
  listUnfinished,
  listUntidy,
  readCalls,
  readSpentMicros,
} from './proof.ts'
import { runScanProgram, type ScanEnding } from './scan-program.ts'
import { setUpScan } from './scan-stage.ts'
import { type ScanSetup, siteIdOf } from './scan-data.ts'
import { readReports } from './stored-answers.ts'

/** Where a run is killed: at a step on the disk, when an engine has sold its n-th answer or has sent it off, or after a time. */
export type KillPoint =
  | { readonly at: StepPoint }
  | { readonly entry: number; readonly isSent: boolean }
  | { readonly ms: number }

/** Runs of a scan, of which the last one comes to its end. */
export interface Scenario {
  readonly setup: ScanSetup
  readonly script: Script
  readonly kills: readonly KillPoint[]
  /** Half a line is put behind what a killed run has left, as a power cut may leave it. */
  readonly tears: boolean
  /** Asks what is uncertain once more at the end. */
  readonly retries: boolean
}

export interface Trial {
  /** What is wrong, a line each; nothing is well. */
  readonly wrong: readonly string[]
  readonly killed: number
  /** Statuses of the calls at the end. */
  readonly statuses: Readonly<Record<string, number>>
  /** Of the last run: what it did on the disk, and how long it took. */
  readonly steps: readonly string[]
  readonly ms: number
  readonly purchases: number
}

const SITE = siteIdOf(0)
const SCAN = ['scan', 'run', '--site', SITE]

/** Plays a scenario in a directory of its own and looks at everything that is left. */
export async function tryScenario(scenario: Scenario): Promise<Trial> {
  try {
    await using stage = await setUpScan(scenario.setup, scenario.script)
    const { engines, data, fresh } = stage
    const endings: ScanEnding[] = []
    let killed = 0
    for (const point of scenario.kills) {
      const ending = await runKilled(data, point, engines)
      endings.push(ending)
      if (ending.status !== null) continue
      killed += 1
      if (scenario.tears) tearSpool(data)
    }
    const last = await runScanProgram([...SCAN, '--data-dir', data])
    endings.push(last)
    const uncertain = readCalls(data).filter(({ status }) => status === 'uncertain').length
    if (scenario.retries && uncertain > 0) {
      endings.push(await runScanProgram(['scan', 'retry', '--uncertain', '--site', SITE, '--data-dir', data]))
    }
    endings.push(await runScanProgram(['scan', 'status', '--json', '--site', SITE, '--data-dir', data]))
    const calls = readCalls(data)
    const wrong = [
      ...listFailed(endings),
      ...listMispurchased(calls, engines.ledger.entries, scenario.retries ? uncertain : 0),
      ...listUnfinished(calls, turnsOff(scenario.script)),
      ...(await listMisstored(data, calls, SITE)),
      ...listUnpaid(data, calls, scenario.setup),
      ...(await listUntidy(data)),
      ...(await listUnequal(data, fresh, calls)),
      ...(await listLeaks(data, {
        'standard output': endings.map(({ stdout }) => stdout).join('\n'),
        'standard error': endings.map(({ stderr }) => stderr).join('\n'),
      })),
    ]
    return {
      wrong,
      killed,
      statuses: countBy(calls.map(({ status }) => status)),
      steps: last.steps,
      ms: last.ms,
      purchases: engines.ledger.entries.filter(({ bought }) => bought).length,
    }
  } catch (error) {
    const wrong = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    return { wrong, killed: 0, statuses: {}, steps: [], ms: 0, purchases: 0 }
  }
}

/** Whether a provider may be switched off while tasks of it are under way. */
function turnsOff({ rules = [] }: Script): boolean {
  return rules.some(({ act }) => 'status' in act && act.status >= 401 && act.status <= 403)
}

async function runKilled(data: string, point: KillPoint, engines: Engines): Promise<ScanEnding> {
  const argv = [...SCAN, '--data-dir', data]
  if ('at' in point) return runScanProgram(argv, { death: point.at })
  return runScanProgram(argv, {
    withChild(child) {
      const kill = (): void => void child.kill('SIGKILL')
      if ('ms' in point) {
        const timer = setTimeout(kill, point.ms)
        child.once('exit', () => clearTimeout(timer))
        return
      }
      let count = 0
      engines.watch = (_, isSent) => {
        if (isSent !== point.isSent) return
        count += 1
        if (count === point.entry) kill()
      }
      child.once('exit', () => (engines.watch = undefined))
    },
  })
}

/** Behind the last whole line of the newest file with raw answers that isn't packed. */
function tearSpool(data: string): void {
  const path = listSpools(data).findLast((each) => each.endsWith('.ndjson'))
  if (path === undefined) return
  const text = readFileSync(path)
  // Where a kill has torn a line already, it stays as it is.
  if (text.length === 0 || text.at(-1) === 0x0a)
    appendFileSync(path, '{"id":"scn_acme_2026-01-01_p1_chatgpt_9","date":"2026')
}

/** A run that wasn't killed ends with what the commands promise, in words. */
function listFailed(endings: readonly ScanEnding[]): string[] {
  return endings
    .filter(
      ({ status, stderr }) => status !== null && (![0, 3].includes(status) || /\.ts:\d|please report/.test(stderr)),
    )
    .map(({ status, stderr }) => `exit status ${status}: ${stderr.slice(-2_000)}`)
}

/** No more is spent than the budget has, each call's money stands where its row says, and nothing stays reserved. */
function listUnpaid(data: string, calls: readonly CallRow[], { usdDay }: ScanSetup): string[] {
  const spent = readSpentMicros(data)
  const cost = calls.reduce((sum, { cost_micros }) => sum + cost_micros, 0)
  const reserved = calls.reduce((sum, { reserved_micros }) => sum + reserved_micros, 0)
  return [
    ...(spent > usdDay * 1e6 ? [`spent ${spent} micro-dollars of ${usdDay} US dollars`] : []),
    ...(spent === cost + reserved ? [] : [`spent ${spent}, and the calls cost ${cost}, with ${reserved} reserved`]),
    ...calls
      .filter(({ status, reserved_micros }) => reserved_micros > 0 && status !== 'task' && status !== 'asked')
      .map(({ target, prompt_id, status }) => `${target} ${prompt_id} is ${status} and has money reserved`),
  ]
}

/** What the raw answers give when somebody imports them into another directory. */
async function listUnequal(data: string, fresh: string, calls: readonly CallRow[]): Promise<string[]> {
  const spools = listSpools(data)
  const days = calls.map(({ day }) => day).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  if (spools.length === 0 || from === undefined || to === undefined) return []
  const copies = mkdtempSync(join(fresh, '..', 'spools-'))
  spools.forEach((path, index) => cpSync(path, join(copies, `${index}-${path.split('/').at(-1) ?? ''}`)))
  const files = readdirSync(copies).map((name) => join(copies, name))
  const imported = await runScanProgram(['import', 'answers', '--site', SITE, '--data-dir', fresh, ...files])
  if (imported.status !== 0 && imported.status !== 3) return [`import by hand: ${imported.stderr}`]
  const [own, theirs] = await Promise.all([data, fresh].map((dir) => readReports(dir, SITE, { from, to })))
  if (JSON.stringify(own) === JSON.stringify(theirs)) return []
  return [
    `imported by hand it is another lake: ${JSON.stringify(own).slice(0, 4_000)}\n${JSON.stringify(theirs).slice(0, 4_000)}`,
  ]
}

function countBy(values: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(values, (value) => value)
  return Object.fromEntries([...groups].map(([value, { length }]) => [value, length]))
}
