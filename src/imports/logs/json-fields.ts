import type { JsonFields } from './json-line.ts'

/** Names met in JSON logs that operators define themselves: nginx's variables, short ones, and those of the Elastic Common Schema. */
export const COMMON_FIELDS: JsonFields = {
  time: [
    'time',
    'timestamp',
    '@timestamp',
    'time_iso8601',
    'time_local',
    'msec',
    'ts',
    'datetime',
    'date',
    'start_time',
    'time_start',
    'startTime',
    'StartUTC',
  ],
  method: [
    'method',
    'request_method',
    'http_method',
    'requestMethod',
    'http.request.method',
    'request.method',
    'req.method',
    'http.method',
    'verb',
  ],
  target: [
    'request_uri',
    'requestUri',
    'uri',
    'url',
    'request_url',
    'path',
    'request_path',
    'uri_path',
    'url.original',
    'url.path',
    'request.uri',
    'request.url',
    'request.path',
    'req.url',
    'http.url',
    'http.target',
  ],
  query: ['args', 'query', 'query_string', 'queryString', 'uri_query', 'url.query'],
  request: ['request', 'request_line', 'requestLine'],
  status: [
    'status',
    'status_code',
    'statusCode',
    'response_status',
    'http_status',
    'http.response.status_code',
    'response.status',
    'res.statusCode',
    'code',
  ],
  userAgent: [
    'http_user_agent',
    'user_agent',
    'userAgent',
    'useragent',
    'ua',
    'agent',
    'User-Agent',
    'user-agent',
    'request_user_agent',
    'user_agent.original',
    'request.headers.User-Agent',
    'request.headers.user-agent',
    'headers.user-agent',
    'req.headers.user-agent',
  ],
  referer: [
    'http_referer',
    'referer',
    'referrer',
    'http_referrer',
    'Referer',
    'request_referer',
    'http.request.referrer',
    'request.headers.Referer',
    'request.headers.referer',
    'headers.referer',
    'req.headers.referer',
  ],
  address: [
    'remote_addr',
    'client_ip',
    'clientIp',
    'clientip',
    'ip',
    'remote_ip',
    'remoteIp',
    'remote_address',
    'remoteAddress',
    'client.ip',
    'client.address',
    'source.ip',
    'source.address',
    'request.remote_ip',
    'client',
    'remote_host',
    'address',
  ],
  forwardedFor: [
    'http_x_forwarded_for',
    'x_forwarded_for',
    'xff',
    'forwarded_for',
    'X-Forwarded-For',
    'x-forwarded-for',
    'request.headers.X-Forwarded-For',
  ],
  host: ['http_host', 'host', 'server_name', 'vhost', 'domain', 'request_host', 'url.domain', 'request.host'],
}

/** Caddy's access log. `client_ip` is what Caddy made of its own `trusted_proxies`. */
export const CADDY_FIELDS: JsonFields = {
  time: ['ts'],
  method: ['request.method'],
  target: ['request.uri'],
  status: ['status'],
  userAgent: ['request.headers.User-Agent'],
  referer: ['request.headers.Referer'],
  address: ['request.client_ip', 'request.remote_ip', 'request.remote_addr'],
  forwardedFor: ['request.headers.X-Forwarded-For'],
  host: ['request.host'],
}

/** Names of Traefik's JSON access log; the request's headers are there when `fields.headers` keeps them. */
export const TRAEFIK_FIELDS: JsonFields = {
  time: ['StartUTC', 'StartLocal', 'time'],
  method: ['RequestMethod'],
  target: ['RequestPath'],
  status: ['DownstreamStatus', 'OriginStatus'],
  userAgent: ['request_User-Agent'],
  referer: ['request_Referer'],
  address: ['ClientHost', 'ClientAddr'],
  forwardedFor: ['request_X-Forwarded-For'],
  host: ['RequestHost', 'RequestAddr'],
}

/** Cloudflare Logpush, data set `http_requests`. */
export const CLOUDFLARE_FIELDS: JsonFields = {
  time: ['EdgeStartTimestamp', 'EdgeEndTimestamp'],
  method: ['ClientRequestMethod'],
  target: ['ClientRequestURI', 'ClientRequestPath'],
  status: ['EdgeResponseStatus'],
  userAgent: ['ClientRequestUserAgent'],
  referer: ['ClientRequestReferer'],
  address: ['ClientIP'],
  forwardedFor: ['RequestHeaders.x-forwarded-for'],
  host: ['ClientRequestHost'],
}

/** CloudFront's JSON output, with the names of its columns. */
export const CLOUDFRONT_FIELDS: JsonFields = {
  date: ['date'],
  time: ['time', 'timestamp', 'timestamp(ms)'],
  method: ['cs-method'],
  target: ['cs-uri-stem'],
  query: ['cs-uri-query'],
  status: ['sc-status'],
  userAgent: ['cs(User-Agent)'],
  referer: ['cs(Referer)'],
  address: ['c-ip'],
  forwardedFor: ['x-forwarded-for'],
  host: ['x-host-header'],
}

/** Google Cloud's HTTPS load balancer, as exported from Cloud Logging. */
export const GCP_FIELDS: JsonFields = {
  time: ['timestamp', 'receiveTimestamp'],
  method: ['httpRequest.requestMethod'],
  target: ['httpRequest.requestUrl'],
  status: ['httpRequest.status'],
  userAgent: ['httpRequest.userAgent'],
  referer: ['httpRequest.referer'],
  address: ['httpRequest.remoteIp'],
  forwardedFor: [],
  host: [],
}

/** Fastly has no format of its own; these are the names of its documented JSON templates. */
export const FASTLY_FIELDS: JsonFields = {
  time: ['timestamp', 'time_start', 'start_time', 'time'],
  method: ['request_method', 'method'],
  target: ['url', 'request_url', 'path'],
  request: ['request'],
  status: ['response_status', 'status'],
  userAgent: ['request_user_agent', 'user_agent'],
  referer: ['request_referer', 'referer'],
  address: ['client_ip', 'remote_ip'],
  forwardedFor: ['request_x_forwarded_for', 'x_forwarded_for'],
  host: ['host', 'request_host'],
}

/** Akamai DataStream 2. */
export const AKAMAI_FIELDS: JsonFields = {
  time: ['reqTimeSec'],
  method: ['reqMethod'],
  target: ['reqPath'],
  query: ['queryStr'],
  status: ['statusCode'],
  userAgent: ['UA'],
  referer: ['referer'],
  address: ['cliIP'],
  forwardedFor: ['xForwardedFor'],
  host: ['reqHost'],
}

/** Vercel's log drain: what the proxy in front of all functions saw. */
export const VERCEL_FIELDS: JsonFields = {
  time: ['proxy.timestamp'],
  method: ['proxy.method'],
  target: ['proxy.path'],
  status: ['proxy.statusCode'],
  userAgent: ['proxy.userAgent'],
  referer: ['proxy.referer'],
  address: ['proxy.clientIp'],
  forwardedFor: [],
  host: ['proxy.host'],
}
