import { firstKeptDay } from './period.ts'

/** How long what is kept, as periods (`24mo`, `keep`). */
export interface Retention {
  readonly retentionAnswers: string
  readonly retentionLogs: string
  readonly retentionRaw: string
}

export const RETENTION_SETTINGS = ['retention_answers', 'retention_logs', 'retention_raw'] as const
type RetentionSetting = (typeof RETENTION_SETTINGS)[number]

/** One setting and the first day that it keeps today; null where it keeps all. */
export interface RetentionState {
  readonly setting: RetentionSetting
  readonly period: string
  readonly first_day: string | null
}

/** The settings as they are today. */
export function describeRetention(retention: Retention, nowMs: number): RetentionState[] {
  const periods: Readonly<Record<RetentionSetting, string>> = {
    retention_answers: retention.retentionAnswers,
    retention_logs: retention.retentionLogs,
    retention_raw: retention.retentionRaw,
  }
  return RETENTION_SETTINGS.map((setting) => ({
    setting,
    period: periods[setting],
    first_day: firstKeptDay(periods[setting], nowMs) ?? null,
  }))
}
