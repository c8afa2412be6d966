/** Where a scan can be cut off: between two things that it makes durable. */
export const KILL_POINTS = [
  'before it is sent',
  'while it is under way',
  'when the reply is there',
  'when the reply is stored',
  'when a task is bought',
  'before the import',
  'after the import',
  'before sealing',
  'before its end',
  'nowhere',
] as const
export type KillPoint = (typeof KILL_POINTS)[number]

export interface KilledScan {
  readonly dataDir: string
  readonly url: string
  readonly day: string
  readonly point: KillPoint
  /** At which call of those that come to the point. */
  readonly nth: number
}
