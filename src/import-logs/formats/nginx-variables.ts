import type { Escape, Variable } from './nginx-template.ts'

/** What nginx and ingress-nginx document that a variable holds, as far as it tells where a value ends in a line. */

/** Variables that hold one word, or `-`. All that stand in no list here may hold anything. */
const TOKENS = toSet(`ancient_browser args binary_remote_addr body_bytes_sent bytes_received bytes_sent connection
  connection_requests connection_time connections_active connections_reading connections_waiting connections_writing
  content_length gzip_ratio host hostname http2 http3 https is_args limit_conn_status limit_rate limit_req_status
  modern_browser msec msie namespace ingress_name nginx_version pid pipe proxy_add_x_forwarded_for_count
  proxy_alternative_upstream_name proxy_host proxy_port proxy_protocol_addr proxy_protocol_port
  proxy_protocol_server_addr proxy_protocol_server_port proxy_upstream_name query_string realip_remote_addr
  realip_remote_port remote_addr remote_port req_id request_completion request_id request_length request_method
  request_port request_time request_uri scheme server_addr server_name server_port server_protocol service_name
  service_port slice_range ssl_alpn_protocol ssl_cipher ssl_client_fingerprint ssl_client_serial ssl_curve
  ssl_early_data ssl_protocol ssl_server_name ssl_session_id ssl_session_reused status tcpinfo_rcv_space tcpinfo_rtt
  tcpinfo_rttvar tcpinfo_snd_cwnd time_iso8601 uid_got uid_reset uid_set upstream_cache_status geoip_country_code
  geoip_city_country_code geoip2_data_country_code geoip2_country_code`)

/** Those of several upstreams that were tried one after the other: `10.0.0.1:80, 10.0.0.2:80 : 10.0.0.3:80`. */
const LISTS = toSet(`upstream_addr upstream_bytes_received upstream_bytes_sent upstream_connect_time
  upstream_first_byte_time upstream_header_time upstream_queue_time upstream_response_length upstream_response_time
  upstream_session_time upstream_status`)

const TIMES = new Map([
  ['time_local', String.raw`\d\d\/[A-Za-z]{3}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}`],
  ['time_iso8601', String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z)`],
])

/** Those of the words that may still hold any other character that a URL can. */
export const SENT_BY_CLIENTS = toSet('args host query_string request_uri ssl_server_name')

/** Any text of a client's, spaces too. */
const TEXT_OF_CLIENTS = /^(?:http_|arg_|cookie_|request$|request_body$|uri$|document_uri$|remote_user$)/

/** Whether no more is known of the value than that it is one word. */
export function isToken(name: string): boolean {
  return TOKENS.has(name) && !TIMES.has(name)
}

/** Whether a client can write what stands behind the value. nginx escapes quotes and control characters. */
export function isBare({ name, after }: Variable, before: string, escape: Escape): boolean {
  if (TIMES.has(name) || (escape !== 'none' && /^["\t]/.test(after))) return false
  if (isBracketed(name, after, before) || LISTS.has(name)) return false
  return !TOKENS.has(name) || (SENT_BY_CLIENTS.has(name) && after !== '' && !/^[ "]/.test(after))
}

/** A regular expression for the values of a variable that isn't bare; none of two ways matches the same text. */
export function toShape({ name, after }: Variable, before: string, escape: Escape): string {
  const time = TIMES.get(name)
  if (time !== undefined) return time
  if (escape !== 'none' && after.startsWith('"')) return String.raw`(?:[^"\\]|\\.)*`
  if (escape !== 'none' && after.startsWith('\t')) return String.raw`[^\t]*`
  if (isBracketed(name, after, before)) return String.raw`[^\]]*`
  const end = escapeText(after.slice(0, 1))
  if (LISTS.has(name)) return `[^ ,${end}]+(?:(?:, | : )[^ ,${end}]+){0,${UPSTREAMS_MAX}}`
  return `[^ ${end}]*`
}

const UPSTREAMS_MAX = 64

/** `[$server]` is read to its bracket, unless a client writes the value. */
function isBracketed(name: string, after: string, before: string): boolean {
  return before.endsWith('[') || /\[[A-Z][\w-]* $/.test(before)
    ? after.startsWith(']') && !SENT_BY_CLIENTS.has(name) && !TEXT_OF_CLIENTS.test(name)
    : false
}

/** The text as part of a regular expression, also within a class. */
export function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

function toSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
