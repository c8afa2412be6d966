const locale = typeof navigator === 'undefined' ? 'en' : navigator.language
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `512 kB`, `1.4 GB` */
export function toBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const unit = UNITS[step] ?? 'byte'
  const value = bytes / 1_000 ** step
  const maximumFractionDigits = value < 10 && step > 0 ? 1 : 0
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    value,
  )
}
