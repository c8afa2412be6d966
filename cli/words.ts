/** `1 link`, `1,200 links`; `1 company`, `2 companies` with the plural given. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`
}
