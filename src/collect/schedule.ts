import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import { toDay } from '../domain/day.ts'
import type { Schedule } from './scan-config.ts'

/** When a scan was to start, by its schedule, and when it starts, by that and its jitter; in milliseconds since 1970. */
export interface DueScan {
  readonly dueMs: number
  readonly startMs: number
}

/**
 * The scan of a schedule that is to run now unless it did already: the newest whose start has passed on this UTC day. One whose
 * time passed while nobody looked is found so, too, and several of them are one.
 */
export function findDue(schedule: Schedule, nowMs: number): DueScan | undefined {
  const cron = new Cron(schedule.cron, { paused: true, timezone: schedule.zone })
  // Cron times are whole seconds, and the one asked about is left out.
  const reference = new Date((Math.floor(nowMs / 1_000) + 1) * 1_000)
  return cron
    .previousRuns(LOOKED_BACK, reference)
    .map((due) => toDueScan(schedule, due.getTime()))
    .find(({ startMs }) => startMs <= nowMs && toDay(startMs) === toDay(nowMs))
}

/** When the schedule's next scan starts; undefined where it has none any more. */
export function findNext(schedule: Schedule, nowMs: number): DueScan | undefined {
  const next = new Cron(schedule.cron, { paused: true, timezone: schedule.zone }).nextRun(new Date(nowMs))
  return next === null ? undefined : toDueScan(schedule, next.getTime())
}

/** The newest scan of all may wait for its jitter while the one before it is due. */
const LOOKED_BACK = 2

/** By a hash, so that servers on the same data directory agree, and a restart changes nothing. */
function toDueScan({ site, cron, jitterMs }: Schedule, dueMs: number): DueScan {
  const chance = createHash('sha256').update(`${site} ${cron} ${dueMs}`).digest().readUInt32BE(0) / 2 ** 32
  return { dueMs, startMs: dueMs + Math.floor(chance * jitterMs) }
}
