import type { ErrorCode } from '../../../src/errors.ts'

/** When each error is given; the page lists all of them. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'a parameter is missing, unknown, given twice, of the wrong type or out of range; `details` lists every fault',
  invalid_json: 'the body is empty, no JSON or no UTF-8',
  invalid_cursor: 'the cursor is malformed, changed, or of another request',
  api_key_in_url: 'the URL holds a key, or a parameter named like one; revoke a key that was in a URL',
  invalid_api_key: 'the key is missing, malformed, unknown, revoked or expired',
  plan_required: 'the organization is not on a live Enterprise plan',
  insufficient_permission: 'a key that may only read calls a write endpoint',
  not_found: 'no such path, or the site does not exist or belongs to another organization',
  method_not_allowed: 'the path has other methods; the header `Allow` names them',
  not_acceptable: '`Accept` names none of the formats of a list or report',
  cursor_expired:
    'the data that the cursor stands in is no longer kept, or a decision about the site changed on the way',
  payload_too_large: 'the body is over 1 MiB',
  unsupported_media_type: 'the body is not sent as `application/json`, or is compressed',
  prompt_limit_reached: 'activating the prompts would exceed the cap of the plan; nothing was changed',
  rate_limited: 'the requests or writes of the minute are used up; `Retry-After` says how long to wait',
  headers_too_large: 'the request line and headers are over 16 KiB',
  internal_error: 'the service failed; its log has the cause under the `request_id`',
  query_timeout: 'the report took too long; ask for fewer days or filter more',
  overloaded: 'too much is asked at once; try again after `Retry-After`',
  storage_full: 'a change could not be stored: the disk is full',
  data_unavailable: 'a file that the report needs is missing or damaged',
  too_many_rows: 'a whole result as CSV or NDJSON has over 100,000 rows; this ends what was sent of it',
}

/** The part of `docs/api.md` before the endpoints. */
export const API_GUIDE = `# The REST API

This page is made from the program and the demo's data (\`npm run golden\`). The same facts for machines are at \`GET /v1/openapi.json\` (OpenAPI 3.1), and \`answerlake openapi\` prints them without a server.

All paths begin with \`/v1\`; bodies are JSON in UTF-8, up to 1 MiB, sent with \`Content-Type: application/json\`. Days are written \`YYYY-MM-DD\`, timestamps ISO 8601 in UTC. Fields may be added without a new version: ignore the ones you don't know. A field or query parameter that the API doesn't know is refused, so that a typo never silently widens a report. Answers over 1 KiB are compressed with zstd, Brotli or gzip where the client takes it. The API sends no CORS headers, on purpose: keys don't belong into browsers.

To repeat the examples, run \`npm start\` and put the printed write key into \`KEY\`. Its site, prompts and competitors have the ids shown; keys, cards, answers and cursors have others.

## Keys

Send the key in the header \`X-API-Key: alk_…\` or \`Authorization: Bearer alk_…\`; both may be sent when they agree. A key in the URL is refused with \`api_key_in_url\` and should be revoked, because proxies and browsers keep URLs. A key reads every site of its organization; a site of another organization answers 404, as if it didn't exist. Expiry, revocation and a lapsed plan take effect on the very next request.

Keys match \`\\balk_[0-9A-Za-z]{40}\\b\`; the last six characters are a checksum, so secret scanners can tell real ones.

## Limits

Each key may make as many requests and writes a minute as \`GET /v1/me\` says; the two PATCH endpoints count as both, dry runs too. A burst of the whole limit passes, then it refills smoothly. Every answer to a request with a valid key says what is left, in the syntax of the IETF's RateLimit fields, \`t\` in seconds until one more:

\`\`\`text
RateLimit-Policy: "requests";q=600;w=60, "writes";q=20;w=60
RateLimit: "requests";r=598;t=1, "writes";r=20;t=0
\`\`\`

A request over the limit gets 429 with \`Retry-After\` and counts against nothing.

## Pages

Lists with \`info\` come in pages. \`info.next_cursor\` is null on the last one; otherwise send it as \`cursor\` with the same request for the next page; only \`limit\` may change on the way. All pages of a walk show the moment of its first page: each row comes once, in order, and \`total_results\` stays, whatever is imported meanwhile. A walk can go on for at least an hour after newer data came; then, or when a decision about the site changed (a category, a competitor), it ends with 410 \`cursor_expired\`: start again.

## Filters

A filter is a condition, \`{"field", "op", "value"}\`, or a combination: \`{"and": […]}\`, \`{"or": […]}\` with 1 to 50 members, \`{"not": …}\`. At most 100 conditions and 5 levels; a condition alone is one.

| op | value | holds when |
| --- | --- | --- |
| \`is\`, \`not_is\` | text; \`true\` or \`false\`, without quotes, for \`verified\` | equal, case-sensitive |
| \`in\`, \`not_in\` | list of 1 to 500 | equal to one of them |
| \`contains\`, \`not_contains\` | text | part of it, case-sensitive |
| \`contains_case_insensitive\`, \`not_contains_case_insensitive\` | text | part of it, in any case |
| \`starts_with\`, \`ends_with\` | text | begins or ends so |
| \`matches\` | text | RE2 regular expression, anywhere; of at most 200 characters, repeating at most 100 times by a count, in at most 20 conditions |

\`platform\`, \`category\`, \`bot_type\`, \`page_type\`, \`owner\` and \`source_kind\` take \`is\`, \`not_is\`, \`in\`, \`not_in\` with their own values only. A \`prompt\` may be named by its id or its exact text; the other operators compare the text. Texts have 1 to 1,000 characters.

| report | fields |
| --- | --- |
| visibility, sentiment | \`platform\`, \`prompt\`, \`category\` |
| citations | these, and \`domain\`, \`owner\`, \`source_kind\` |
| bots | \`bot_name\`, \`bot_provider\`, \`bot_type\`, \`verified\`, \`path\`, \`page_type\` |
| referrals | \`referral_source\`, \`path\`, \`page_type\` |

## Health

\`GET /healthz\` answers 200 while the process lives, \`GET /readyz\` 200 while it can do its work, otherwise 503 with a code a line: \`catalog\`, \`lake\`, \`disk\`, \`timeout\`, \`draining\`. Neither needs a key.

## From TypeScript

The package has a typed client, made with openapi-fetch:

\`\`\`ts
import { createClient } from 'answerlake/client'

const client = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: process.env.KEY ?? '' })
const { data, error } = await client.POST('/v1/reports/visibility', {
  body: { site_id: 'site_fernwick', start_date: '2026-10-19', end_date: '2026-11-15', brands: 'all' },
})
\`\`\`

## Errors

Every answer other than 200 has the same body. \`message\` says what to do; \`request_id\` is also the header \`X-Request-Id\` and stands in the service's log.

\`\`\`json
{ "error": { "code": "invalid_request", "message": "…", "details": [{ "path": "filter.and.0.value", "message": "…" }], "request_id": "req_…" } }
\`\`\`
`
