import { LOG_CHECKPOINT_REQUEST_IDS_MAX, LOG_REQUEST_IDS_MAX } from '../../log-limits.ts'
import { parseCombined, parseCommon } from './clf.ts'
import { isObject, type JsonFields, NO_OBJECT, parseJsonLine, parseObject, readRecord, readText } from './json-line.ts'
import { isRejected, type ParseLine } from './log-line.ts'
import { isBlank, undoPercent } from './log-text.ts'

/** Caddy writes other events into the same stream, errors with the same fields as the request they belong to. */
export function defineCaddyReader(fields: JsonFields): ParseLine {
  return (line) => {
    if (isBlank(line)) return undefined
    const record = parseObject(line)
    if (record === undefined) return NO_OBJECT
    const logger = readText(record, ['logger'])
    const isAccess = logger === '' || logger.startsWith('http.log.access')
    return isAccess && record['request'] !== undefined ? readRecord(record, fields) : undefined
  }
}

/** Cloud Logging keeps entries of all kinds together; those of the load balancer have `httpRequest`. */
export function defineGcpReader(fields: JsonFields): ParseLine {
  return (line) => {
    if (isBlank(line)) return undefined
    const record = parseObject(line)
    if (record === undefined) return NO_OBJECT
    return record['httpRequest'] === undefined ? undefined : readRecord(record, fields)
  }
}

/**
 * Vercel writes several records of one request: what its functions printed, and each layer that took part. The first
 * one counts. Records without the proxy's view, and the revalidations that Vercel starts by itself, are no requests.
 */
export class VercelReader {
  readonly #fields: JsonFields
  readonly #seen: Set<string>

  /** `state` is what it was where an earlier reading of the content ended. */
  constructor(fields: JsonFields, state: string | undefined) {
    this.#fields = fields
    this.#seen = new Set(state === undefined ? [] : (JSON.parse(state) as string[]))
  }

  /** Ids of the newest requests; undefined when there were none. */
  get state(): string | undefined {
    const newest = Array.from(this.#seen).slice(-LOG_CHECKPOINT_REQUEST_IDS_MAX)
    return newest.length === 0 ? undefined : JSON.stringify(newest)
  }

  readonly parse: ParseLine = (line) => {
    if (isBlank(line)) return undefined
    const record = parseObject(line)
    if (record === undefined) return NO_OBJECT
    if (record['proxy'] === undefined || readText(record, this.#fields.status) === '-1') return undefined
    const id = readText(record, ['requestId'])
    if (id === '') return readRecord(record, this.#fields)
    if (this.#seen.has(id)) return undefined
    for (const oldest of this.#seen) {
      if (this.#seen.size < LOG_REQUEST_IDS_MAX) break
      this.#seen.delete(oldest)
    }
    this.#seen.add(id)
    return readRecord(record, this.#fields)
  }
}

/** Akamai writes paths without their first slash, `/` alone as nothing, and percent-encodes what is no plain character. */
export function defineAkamaiReader(fields: JsonFields): ParseLine {
  return (line) => {
    if (isBlank(line)) return undefined
    const record = parseObject(line)
    if (record === undefined) return NO_OBJECT
    const target = readText(record, fields.target)
    const parsed = readRecord(
      { ...record, [TARGET]: target.startsWith('/') ? target : `/${target}` },
      { ...fields, target: [TARGET] },
    )
    if (isRejected(parsed)) return parsed
    return {
      ...parsed,
      userAgent: undoAkamaiAgent(parsed.userAgent),
      referer: /^https?%3a/i.test(parsed.referer) ? undoPercent(parsed.referer) : parsed.referer,
    }
  }
}

const TARGET = 'target'

/**
 * Azure Monitor keeps access logs beside those of firewalls and health probes, and has what one tier of Front Door asked
 * of another, which no client did.
 */
export function defineAzureReader(fields: JsonFields): ParseLine {
  return (line) => {
    if (isBlank(line)) return undefined
    const record = parseObject(line)
    if (record === undefined) return NO_OBJECT
    const category = readText(record, ['category', 'Category'])
    const { properties: own } = record
    const properties = typeof own === 'string' ? parseObject(own) : own
    if (!/access ?log|httplogs/i.test(category) || !isObject(properties)) return undefined
    if (/^false$/i.test(String(properties['isReceivedFromClient']))) return undefined
    return readRecord({ ...record, properties }, fields)
  }
}

/** Fastly: a JSON template or the common formats. */
export function defineFastlyReader(fields: JsonFields): ParseLine {
  return (line, wrappedAt) => {
    if (isBlank(line)) return undefined
    if (line.startsWith('{')) return parseJsonLine(line, fields, wrappedAt)
    const combined = parseCombined(line)
    return combined === undefined || !isRejected(combined) ? combined : parseCommon(line)
  }
}

/** Spaces are `%20` or, form-encoded, `+`; a `+` beside `%20` is a plus. */
function undoAkamaiAgent(agent: string): string {
  if (!agent.includes('%') || agent.includes(' ')) return agent
  return undoPercent(agent.includes('%20') ? agent : agent.replaceAll('+', ' '))
}
