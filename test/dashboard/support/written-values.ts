/** How a browser of `en-GB` is to write what the service gives. */
const inUtc = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
  return (at: string): string => format.format(new Date(at))
}
/** `15 Nov 2026` */
export const writeDay = inUtc({ dateStyle: 'medium' })
/** `15 November 2026` */
export const writeLongDay = inUtc({ day: 'numeric', month: 'long', year: 'numeric' })
/** `15 Nov, 09:00` */
export const writeMoment = inUtc({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
/** `15 Nov 2026, 09:00` */
export const writeMinute = inUtc({ dateStyle: 'medium', timeStyle: 'short' })

/** `1,440` */
export const writeCount = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** `77 kB`, `1.3 MB` */
export function writeBytes(bytes: number): string {
  const step = Math.max(0, Math.ceil(String(bytes).length / 3) - 1)
  const value = bytes / 1_000 ** step
  const text = step > 0 && value < 10 ? value.toFixed(1).replace('.0', '') : value.toFixed(0)
  return `${text} ${['byte', 'kB', 'MB', 'GB'][step]}`
}
