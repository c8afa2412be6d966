import { parseBunny } from './formats/bunnycdn.ts'
import {
  hasForwardedFor,
  hasMoreThanCommon,
  parseCombined,
  parseCommon,
  parseLighttpd,
  parseVhostCombined,
} from './formats/clf.ts'
import { defineEnvoyReader } from './formats/envoy.ts'
import { parseHaproxy } from './formats/haproxy.ts'
import {
  AKAMAI_FIELDS,
  AZURE_FIELDS,
  CADDY_FIELDS,
  CLOUDFLARE_FIELDS,
  COMMON_FIELDS,
  FASTLY_FIELDS,
  GCP_FIELDS,
  TRAEFIK_FIELDS,
  VERCEL_FIELDS,
} from './formats/json-fields.ts'
import { defineJsonReader, type JsonFields } from './formats/json-line.ts'
import {
  defineAkamaiReader,
  defineAzureReader,
  defineCaddyReader,
  defineFastlyReader,
  defineGcpReader,
} from './formats/json-logs.ts'
import { parseAlb, parseElb } from './formats/load-balancer.ts'
import { defineLogfmtReader } from './formats/logfmt.ts'
import type { ParseLine } from './formats/log-line.ts'
import { parseProxyManager } from './formats/proxy-hosts.ts'
import { parseS3 } from './formats/s3.ts'
import { defineTraefikReader } from './formats/traefik.ts'

/** The formats of contract/logs 1.1, by the names that `--format` takes. */
export const LOG_FORMATS = [
  'combined',
  'common',
  'vhost-combined',
  'lighttpd',
  'nginx-json',
  'logfmt',
  'nginx-proxy-manager',
  'caddy',
  'traefik',
  'haproxy',
  'envoy',
  'w3c',
  'cloudfront',
  'cloudfront-realtime',
  'alb',
  'elb',
  's3',
  'azure',
  'cloudflare',
  'bunnycdn',
  'fastly',
  'akamai',
  'vercel',
  'gcp-lb',
] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** How lines of one format are told and read: by positions, by the names of fields, or by the columns of a header. */
export type Format = {
  /** What a line shows that is of this format, and most others don't. */
  readonly sign: RegExp
  /** Lines have no `X-Forwarded-For`. */
  readonly lacksForwardedFor?: true
  /** What a line means depends on those before: on a header, or on the ids of requests. */
  readonly isStateful?: true
  /** A line may begin with a time of its own, so it is read before a prefix is looked for. */
  readonly hasOwnTime?: true
  /** As `LogReader.isEnded`; by default every line that can be read has all that is read of it. */
  readonly isEnded?: (line: string, isForwardedForRead: boolean) => boolean
} & (
  | { readonly kind: 'positions'; readonly parse: ParseLine }
  | { readonly kind: 'names'; readonly fields: JsonFields; readonly define: (fields: JsonFields) => ParseLine }
  | { readonly kind: 'columns' }
)

const never = (): boolean => false

/** Every format (contract/logs 1) with a line of it. Of those that read a log the first one is taken: the particular stand before the general. */
export const FORMATS: Readonly<Record<LogFormat, Format>> = {
  // {"requestId":"…","proxy":{"timestamp":1795258623000,"method":"GET","host":"example.com","path":"/a","userAgent":["…"],"statusCode":200,"clientIp":"203.0.113.7"}}
  vercel: {
    kind: 'names',
    sign: /^\s*\{.*"proxy"\s*:\s*\{/s,
    fields: VERCEL_FIELDS,
    define: defineJsonReader,
    lacksForwardedFor: true,
    isStateful: true,
  },
  // {"timestamp":"2026-11-21T10:57:03Z","httpRequest":{"requestMethod":"GET","requestUrl":"https://example.com/a","status":200,"userAgent":"…","remoteIp":"203.0.113.7"}}
  'gcp-lb': {
    kind: 'names',
    sign: /^\s*\{.*"httpRequest"\s*:\s*\{/s,
    fields: GCP_FIELDS,
    define: defineGcpReader,
    lacksForwardedFor: true,
  },
  // {"ts":1795258623.8,"logger":"http.log.access","request":{"client_ip":"203.0.113.7","method":"GET","host":"example.com","uri":"/a","headers":{"User-Agent":["…"]}},"status":200}
  caddy: {
    kind: 'names',
    sign: /^\s*\{.*"request"\s*:\s*\{.*"headers"\s*:/s,
    fields: CADDY_FIELDS,
    define: defineCaddyReader,
  },
  // 203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5 "-" "…" 12 "web@docker" "http://10.0.0.5:80" 3ms, or {"ClientHost":"203.0.113.7","RequestMethod":"GET","DownstreamStatus":200,…}
  traefik: {
    kind: 'names',
    sign: /^\s*\{.*"(?:Downstream|Origin)Status"\s*:|\d+ms$/s,
    fields: TRAEFIK_FIELDS,
    define: defineTraefikReader,
  },
  // {"ClientIP":"203.0.113.7","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestURI":"/a","ClientRequestUserAgent":"…","EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-11-21T10:57:03Z"}
  cloudflare: {
    kind: 'names',
    sign: /^\s*\{.*"EdgeResponseStatus"\s*:/s,
    fields: CLOUDFLARE_FIELDS,
    define: defineJsonReader,
  },
  // {"reqTimeSec":"1795258623.1","cliIP":"203.0.113.7","reqMethod":"GET","reqHost":"example.com","reqPath":"a","statusCode":"200","UA":"…"}
  akamai: { kind: 'names', sign: /^\s*\{.*"reqTimeSec"\s*:/s, fields: AKAMAI_FIELDS, define: defineAkamaiReader },
  // {"time":"2026-11-21T10:57:03Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","requestUri":"https://example.com/a","userAgent":"…","socketIp":"203.0.113.7","httpStatusCode":"200"}}
  azure: {
    kind: 'names',
    sign: /^\s*\{.*"[cC]ategory"\s*:\s*"(?:Front[dD]oor|ApplicationGateway|AppService|AzureCdn)/s,
    fields: AZURE_FIELDS,
    define: defineAzureReader,
    lacksForwardedFor: true,
  },
  // #Fields: date time x-edge-location sc-bytes c-ip cs-method …, then 2026-11-21 10:57:03 FRA56-P4 5123 203.0.113.7 GET … with tabs
  cloudfront: {
    kind: 'columns',
    sign: /^#Fields:.* x-edge-|^\s*\{.*"cs[-_]method"\s*:|^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}\d/s,
    hasOwnTime: true,
    isStateful: true,
  },
  // 1795258623.123 203.0.113.7 0.002 200 16442 GET https d111.cloudfront.net /a … with tabs
  'cloudfront-realtime': { kind: 'columns', sign: /^\d{10}(?:\.\d+)?\t/, hasOwnTime: true, isStateful: true },
  // {"timestamp":"…","client_ip":"203.0.113.7","host":"example.com","url":"/a","request_method":"GET","request_user_agent":"…","response_status":200}, or combined and common behind syslog's prefix
  fastly: {
    kind: 'names',
    sign: /^\s*\{.*"request_user_agent"\s*:|^<\d{1,3}>\S+ cache-/s,
    fields: FASTLY_FIELDS,
    define: defineFastlyReader,
    isEnded: (line) => /["}]\s*$/.test(line),
  },
  // [2026-11-21T10:57:03.310Z] "GET /a HTTP/2" 200 - 0 154 226 100 "203.0.113.7" "…" "cc21d9b0" "example.com" "10.0.2.1:80", or JSON with response_flags
  envoy: {
    kind: 'names',
    sign: /^\[\d{4}-\d\d-\d\dT[^\]]*\] "|^\s*\{.*"response_flags"\s*:/s,
    fields: COMMON_FIELDS,
    define: defineEnvoyReader,
    isEnded: (line) => line.trimEnd().endsWith('}'),
  },
  // {"time":"2026-11-21T10:57:03Z","ip":"203.0.113.7","host":"example.com","method":"GET","uri":"/a","status":200,"referer":"","ua":"…"}, under many names
  'nginx-json': { kind: 'names', sign: /^\s*\{/, fields: COMMON_FIELDS, define: defineJsonReader },
  // #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) …, then 2026-11-21 10:57:03 10.0.0.4 GET /a …
  w3c: { kind: 'columns', sign: /^#Fields:|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, hasOwnTime: true, isStateful: true },
  // https 2026-11-21T10:57:03.186641Z app/lb/50dc 203.0.113.7:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 34 366 "GET https://example.com:443/a HTTP/2.0" "…" …
  alb: { kind: 'positions', sign: /^(?:https?|h2|grpcs?|wss?) \d{4}-/, parse: parseAlb, lacksForwardedFor: true },
  // 2026-11-21T10:57:03.945958Z lb 203.0.113.7:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 29 "GET http://example.com:80/a HTTP/1.1" "…" - -
  elb: { kind: 'positions', sign: /^\d{4}-\d\d-\d\dT/, parse: parseElb, lacksForwardedFor: true, hasOwnTime: true },
  // HIT|200|1795258623421|412|390|203.0.113.7|-|https://example.com/a|WA|…|322b688b|DE
  bunnycdn: {
    kind: 'positions',
    sign: /^[A-Z]+\|\d{1,3}\|\d{12,14}\|/,
    parse: parseBunny,
    lacksForwardedFor: true,
    isEnded: never,
  },
  // [21/Nov/2026:10:57:03 +0000] - 200 200 - GET https example.com "/a" [Client 203.0.113.7] [Length 5123] [Gzip -] [Sent-to 10.0.0.5] "…" "-"
  'nginx-proxy-manager': {
    kind: 'positions',
    sign: /^\[[^\]]*\] .*\[Client /,
    parse: parseProxyManager,
    lacksForwardedFor: true,
  },
  // 203.0.113.7:33317 [21/Nov/2026:10:57:03.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.com|…} {} "GET /a HTTP/1.1"
  haproxy: {
    kind: 'positions',
    sign: /^\S+ \[[^\]]*\] \S+ \S+\/\S* /,
    parse: parseHaproxy,
    isEnded: (line) => line.endsWith('"'),
  },
  // OWNER BUCKET [21/Nov/2026:10:57:03 +0000] 203.0.113.7 - 3E57 WEBSITE.GET.OBJECT a "GET /a HTTP/1.1" 200 - 113 113 7 6 "-" "…" -
  s3: { kind: 'positions', sign: /^\S+ \S+ \[/, parse: parseS3, lacksForwardedFor: true, isEnded: never },
  // 203.0.113.7 example.com - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5123 "-" "…"
  lighttpd: { kind: 'positions', sign: /^\S+ (?!- )\S+ /, parse: parseLighttpd, isEnded: isCombinedEnded },
  // example.com:443 203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5123 "-" "…"
  'vhost-combined': { kind: 'positions', sign: /^\S+ (?!- )\S+ /, parse: parseVhostCombined, isEnded: isCombinedEnded },
  // 203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5123 "https://chatgpt.com/" "…"
  combined: { kind: 'positions', sign: /" (?:\d{3}|-) (?:\d+|-) "/, parse: parseCombined, isEnded: isCombinedEnded },
  // 203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5123
  common: { kind: 'positions', sign: /"/, parse: parseCommon, lacksForwardedFor: true },
  // time=2026-11-21T10:57:03Z method=GET path=/a status=200 ua="…" remote_addr=203.0.113.7
  logfmt: {
    kind: 'names',
    sign: /(?:^|\s)[^\s="]+=(?:"|[^\s"=])/,
    fields: COMMON_FIELDS,
    define: defineLogfmtReader,
    isEnded: never,
  },
}

function isCombinedEnded(line: string, isForwardedForRead: boolean): boolean {
  return isForwardedForRead ? hasForwardedFor(line) : hasMoreThanCommon(line)
}
