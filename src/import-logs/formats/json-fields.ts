import type { JsonFields } from './json-line.ts'

/**
 * Names met in JSON and logfmt logs, the more particular first: nginx's variables and short ones (`ua`), those of the
 * Elastic Common Schema and OpenTelemetry, of Logstash (`clientip`, `verb`), morgan (`remote-addr`), pino (`req.…`),
 * Kong (`started_at`), Envoy (`response_code`), API Gateway (`httpMethod`) and WordPress VIP (`request_type`).
 */
export const COMMON_FIELDS: JsonFields = {
  time: names(`time timestamp @timestamp time_iso8601 timestamp_iso8601 time_local timestamp_log msec ts datetime date
    start_time time_start startTime StartUTC started_at requestTime requestTimeEpoch request_time_iso8601
    __REALTIME_TIMESTAMP`),
  method: names(`method request_method http_method requestMethod httpMethod request_type http.request.method
    request.method req.method http.method verb :method nginx.access.method`),
  target: names(`request_uri requestUri uri url request_url x-envoy-origin-path x-envoy-original-path path request_path
    uri_path url.original url.path request.uri request.url request.path req.url http.url http.target requestPath
    rawPath resourcePath :path nginx.access.url`),
  query: names('args query query_string queryString uri_query url.query'),
  request: names('request request_line requestLine routeKey'),
  status: names(`status status_code statusCode response_status http_status http.response.status_code response.status
    res.statusCode code response_code response nginx.access.response_code`),
  userAgent: names(`http_user_agent user_agent userAgent useragent ua agent User-Agent user-agent request_user_agent
    user_agent.original request.headers.User-Agent request.headers.user-agent headers.user-agent headers.User-Agent
    req.headers.user-agent req.headers.User-Agent req.userAgent http.useragent http.user_agent nginx.access.user_agent`),
  referer: names(`http_referer referer referrer http_referrer Referer request_referer http.request.referrer
    request.headers.Referer request.headers.referer headers.referer headers.Referer req.headers.referer http.referer
    nginx.access.referrer`),
  address: names(`remote_addr client_ip clientIp clientip ip remote_ip remoteIp remote_address remoteAddress remote-addr
    req.remoteAddress req.ip sourceIp identity.sourceIp client.ip client.address source.ip source.address
    network.client.ip request.remote_ip downstream_remote_address client remote_host address nginx.access.remote_ip`),
  forwardedFor: names(`http_x_forwarded_for x_forwarded_for xff forwarded_for X-Forwarded-For x-forwarded-for fwd
    request.headers.X-Forwarded-For request.headers.x-forwarded-for headers.x-forwarded-for
    req.headers.x-forwarded-for`),
  // `hostname` and `host.name` are the machine's.
  host: names(`http_host host server_name vhost domain domainName request_host :authority authority url.domain
    request.host request.headers.Host request.headers.host req.headers.host req.host headers.host server.address`),
}

/** Azure Monitor's access logs: Front Door, Application Gateway and App Service, each with names of its own. */
export const AZURE_FIELDS: JsonFields = {
  time: names('properties.timeStamp time timeStamp timestamp TimeGenerated'),
  method: names('properties.httpMethod properties.CsMethod properties.httpVerb'),
  target: names('properties.requestUri properties.originalRequestUriWithArgs properties.CsUriStem'),
  query: names('properties.requestQuery properties.CsUriQuery'),
  status: names('properties.httpStatusCode properties.httpStatus properties.ScStatus'),
  userAgent: names('properties.userAgent properties.UserAgent'),
  referer: names('properties.referer properties.referrer properties.Referer properties.Referrer'),
  // `clientIp` of Front Door is what X-Forwarded-For said, where the client sent one.
  address: names('properties.socketIp properties.socketIP properties.clientIp properties.clientIP properties.CIp'),
  forwardedFor: [],
  host: names('properties.hostName properties.originalHost properties.host properties.CsHost'),
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

/** CloudFront's JSON output, with the names of its columns, and its Parquet, whose names have `_` instead of other signs. */
export const CLOUDFRONT_FIELDS: JsonFields = {
  date: ['date'],
  time: ['time', 'timestamp', 'timestamp(ms)'],
  method: ['cs-method', 'cs_method'],
  target: ['cs-uri-stem', 'cs_uri_stem'],
  query: ['cs-uri-query', 'cs_uri_query'],
  status: ['sc-status', 'sc_status'],
  userAgent: ['cs(User-Agent)', 'cs_user_agent'],
  referer: ['cs(Referer)', 'cs_referer', 'cs_referrer'],
  address: ['c-ip', 'c_ip'],
  forwardedFor: ['x-forwarded-for', 'x_forwarded_for'],
  host: ['x-host-header', 'x_host_header'],
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

function names(text: string): readonly string[] {
  return text.split(/\s+/)
}
