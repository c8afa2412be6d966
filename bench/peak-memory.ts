import { readFileSync } from 'node:fs'

/** How often it is looked at: the system keeps the peak, but only as long as the process lives. */
const LOOK_MS = 20

/**
 * Follows a process and those that it starts. `stop` gives the most memory that they have held, in MiB; 0 where the system
 * doesn't tell.
 */
export function watchPeakMemory(pid: number | undefined): { stop(): number } {
  let peakMib = 0
  const look = setInterval(() => (peakMib = Math.max(peakMib, readPeakMib(pid))), LOOK_MS)
  return {
    stop() {
      clearInterval(look)
      return Math.round(peakMib)
    },
  }
}

function readPeakMib(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Number)
    const own = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
    return children.reduce((sum, child) => sum + readPeakMib(Number(child)), own)
  } catch {
    return 0
  }
}

/** The most memory that this process has held so far, in MiB. */
export function readOwnPeakMib(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024)
}
