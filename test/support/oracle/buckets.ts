/** ISO week of a day, `2026-W47`: the one with its Thursday. */
export function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000)
  const year = thursday.getUTCFullYear()
  const first = Date.UTC(year, 0, 1)
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * 86_400_000))
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** Month of a day, `2026-11`. */
export function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** Whether a request may group by these: a week and a month stand without another time. */
export function allowsTimes(groupBy: readonly string[]): boolean {
  const times = groupBy.filter((name) => ['date', 'week', 'month', 'hour'].includes(name))
  return times.length < 2 || !times.some((name) => name === 'week' || name === 'month')
}
