import type { CallKind, RunStatus, ScanRun } from '../domain/call.ts'
import type { Leases } from './leases.ts'
import type { Store } from './store.ts'

/**
 * Runs that ask engines and models. A run is alive while the process is that its token names; one that died while
 * `running` is adopted by the next, which finds out what became of its calls.
 */
export interface ScanRuns {
  start(run: Pick<ScanRun, 'id' | 'siteId' | 'kind' | 'day' | 'seed' | 'token'>): void
  /** Ends a run that the token still has; one that another process has adopted stays as it is. */
  end(runId: string, token: string, status: Exclude<RunStatus, 'running'>, reason?: string): void
  find(runId: string): ScanRun | undefined
  /** Newest first. */
  list(siteId: string, kind: CallKind): ScanRun[]
  /** The newest run of the site that is alive. */
  findAlive(siteId: string, kind: CallKind): ScanRun | undefined
  /** Takes over the site's runs whose processes are gone, each by one process alone; of all sites without one. */
  adoptDead(kind: CallKind, token: string, siteId?: string): ScanRun[]
  /** Adds to what the run has spent. Inside the transaction that changes the call. */
  addSpent(runId: string, micros: number): void
}

interface RunRow {
  readonly id: string
  readonly site_id: string
  readonly kind: CallKind
  readonly day: string
  readonly seed: number
  readonly status: RunStatus
  readonly token: string
  readonly spent_micros: number
  readonly started_ms: number
  readonly ended_ms: number | null
  readonly reason: string | null
}

export function openScanRuns(store: Store, leases: Leases): ScanRuns {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO scan_runs (id, site_id, kind, day, seed, status, token, started_ms)
    VALUES (@id, @siteId, @kind, @day, @seed, 'running', @token, @startedMs)`)
  const end = db.prepare<[RunStatus, number, string | null, string, string]>(
    `UPDATE scan_runs SET status = ?, ended_ms = ?, reason = ? WHERE id = ? AND token = ? AND status = 'running'`,
  )
  const select = db.prepare<[string], RunRow>('SELECT * FROM scan_runs WHERE id = ?')
  const selectAll = db.prepare<[string, CallKind], RunRow>(
    'SELECT * FROM scan_runs WHERE site_id = ? AND kind = ? ORDER BY started_ms DESC, id DESC',
  )
  const selectRunning = db.prepare<[object], RunRow>(`
    SELECT * FROM scan_runs
    WHERE status = 'running' AND kind = @kind AND (@siteId IS NULL OR site_id = @siteId)
    ORDER BY started_ms DESC, id DESC`)
  const adopt = db.prepare<[string, string, string]>(
    `UPDATE scan_runs SET token = ? WHERE id = ? AND token = ? AND status = 'running'`,
  )
  const addSpent = db.prepare<[number, string]>(
    'UPDATE scan_runs SET spent_micros = max(0, spent_micros + ?) WHERE id = ?',
  )
  const listRunning = (kind: CallKind, siteId?: string): RunRow[] =>
    store.read(() => selectRunning.all({ kind, siteId: siteId ?? null }))

  return {
    start: (run) => {
      store.write(() => insert.run({ ...run, startedMs: store.clock.now() }))
    },
    end: (runId, token, status, reason) => {
      store.write(() => end.run(status, store.clock.now(), reason ?? null, runId, token))
    },
    find: (runId) => {
      const row = store.read(() => select.get(runId))
      return row && toRun(row)
    },
    list: (siteId, kind) => store.read(() => selectAll.all(siteId, kind)).map(toRun),
    findAlive: (siteId, kind) => {
      const row = listRunning(kind, siteId).find(({ token }) => leases.isAlive(token))
      return row && toRun(row)
    },
    adoptDead(kind, token, siteId) {
      const dead = listRunning(kind, siteId).filter((row) => !leases.isAlive(row.token))
      if (dead.length === 0) return []
      return store.write(() =>
        dead.filter((row) => adopt.run(token, row.id, row.token).changes === 1).map((row) => toRun({ ...row, token })),
      )
    },
    addSpent: (runId, micros) => {
      store.write(() => addSpent.run(micros, runId))
    },
  }
}

function toRun(row: RunRow): ScanRun {
  return {
    id: row.id,
    siteId: row.site_id,
    kind: row.kind,
    day: row.day,
    seed: row.seed,
    status: row.status,
    token: row.token,
    spentMicros: row.spent_micros,
    startedMs: row.started_ms,
    endedMs: row.ended_ms ?? undefined,
    reason: row.reason ?? undefined,
  }
}
