/** `1 link`, `1,200 links`; `1 company`, `2 companies` with the plural given. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${NUMBERS.format(count)} ${count === 1 ? noun : plural}`
}

// Made once: making it takes a hundred times what using it does.
const NUMBERS = new Intl.NumberFormat('en-US')

/** `512 B`, `1.5 MiB`, `20 GiB`. */
export function toSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1_024 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? ''}`
}
