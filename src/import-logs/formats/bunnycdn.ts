import type { ParseLine } from './log-line.ts'
import { isBlank, orNothing } from './log-text.ts'
import { parseEpochTime } from './log-time.ts'
import { parseTarget } from './request-line.ts'

/**
 * Bunny's log: `CACHE|STATUS|MILLISECONDS|BYTES|ZONE|ADDRESS|REFERER|URL|EDGE|USER AGENT|REQUEST ID|COUNTRY`. There is
 * no method. Nothing is escaped: a line with more bars, which a client can send, is rejected.
 */
export const parseBunny: ParseLine = (line) => {
  if (isBlank(line)) return undefined
  const values = line.split('|').map((value) => orNothing(value.trim()))
  if (values.length !== COLUMNS) return { reject: `not the ${COLUMNS} values of Bunny's log` }
  const [, status = '', time = '', , , address = '', referer = '', url = '', , userAgent = ''] = values
  const timeSeconds = /^\d{12,14}$/.test(time) ? parseEpochTime(Number(time)) : undefined
  if (timeSeconds === undefined) return { reject: 'no time in milliseconds' }
  if (!/^(?:\d{3}|0)$/.test(status)) return { reject: 'no readable status' }
  if (!/^https?:\/\//.test(url)) return { reject: 'no URL' }
  return {
    timeSeconds,
    ...parseTarget('GET', url),
    status: Number(status),
    userAgent,
    referer,
    address,
    forwardedFor: '',
  }
}

const COLUMNS = 12
