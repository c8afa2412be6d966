import { isRejected, type ParseLine } from './log-line.ts'
import { compileLogFormat } from './nginx-format.ts'

/** Nginx Proxy Manager's two formats, as it sets them up in nginx: of a proxied host, and of one that it answers itself. */
const PROXY =
  '[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" ' +
  '[Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer"'
const STANDARD =
  '[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] ' +
  '[Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer"'

// Compiling takes 10 ms, and most imports have no such log.
let compiled: { readonly proxy: ParseLine; readonly standard: ParseLine } | undefined

/** Reads a line of either. */
export const parseProxyManager: ParseLine = (line) => {
  const { proxy, standard } = (compiled ??= { proxy: compileLogFormat(PROXY), standard: compileLogFormat(STANDARD) })
  const proxied = proxy(line)
  return proxied !== undefined && isRejected(proxied) ? standard(line) : proxied
}
