import { dateOfLog } from './calendar.ts'

/** One request; `second` counts from midnight UTC. */
export interface LogRequest {
  readonly second: number
  readonly address: string
  readonly method?: string
  readonly target: string
  readonly protocol?: string
  readonly status: number
  readonly bytes: number
  readonly referer?: string
  readonly userAgent: string
}

/** A line of the combined format and the second of its day by which it is sorted. */
export interface LogLine {
  readonly second: number
  readonly text: string
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function toLine(request: LogRequest, day: number): LogLine {
  const { second, address, target, status, bytes, userAgent } = request
  const call = `${request.method ?? 'GET'} ${target} ${request.protocol ?? 'HTTP/1.1'}`
  const text = `${address} - - [${timestamp(day, second)}] "${call}" ${status} ${bytes} "${request.referer ?? '-'}" "${userAgent}"`
  return { second, text }
}

export function timestamp(day: number, second: number): string {
  const [year = '', month = '', date = ''] = dateOfLog(day).split('-')
  const clock = [second / 3600, (second / 60) % 60, second % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  )
  return `${date}/${MONTHS[Number(month) - 1]}/${year}:${clock.join(':')} +0000`
}
