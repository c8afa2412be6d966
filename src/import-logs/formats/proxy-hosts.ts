import { isRejected, type ParseLine } from './log-line.ts'
import { compileLogFormat } from './nginx-format.ts'

/** Nginx Proxy Manager's two formats, as it sets them up in nginx. */
const PROXY = compileLogFormat(
  '[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" ' +
    '[Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer"',
)
const STANDARD = compileLogFormat(
  '[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] ' +
    '[Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer"',
)

/** Nginx Proxy Manager's log of a proxied host, or of one that it answers itself. */
export const parseProxyManager: ParseLine = (line) => {
  const proxied = PROXY(line)
  return proxied !== undefined && isRejected(proxied) ? STANDARD(line) : proxied
}
