/**
 * Every error code of the API with its status (contract/api 2.2). Docs, OpenAPI and tests loop over this table. With 200 an
 * error ends an answer that began well.
 */
export const ERRORS = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_cursor: 400,
  api_key_in_url: 400,
  invalid_api_key: 401,
  plan_required: 403,
  insufficient_permission: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  cursor_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  prompt_limit_reached: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  query_timeout: 503,
  overloaded: 503,
  storage_full: 503,
  data_unavailable: 503,
  too_many_rows: 200,
} as const

export type ErrorCode = keyof typeof ERRORS

/** Codes that the dashboard's own requests have beside those of the API (contract/dashboard 5). */
export const DASHBOARD_ERRORS = {
  not_signed_in: 401,
  sign_in_failed: 401,
  not_allowed: 403,
  password_required: 403,
  cross_site: 403,
  link_expired: 404,
  scan_running: 409,
  scan_refused: 422,
} as const

export type DashboardErrorCode = keyof typeof DASHBOARD_ERRORS

/** One fault of a request: `path` is dotted (`prompts.3.category`), `message` says what to do. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** A refusal whose message may be shown to the caller of the API, or to who uses the dashboard. Anything else that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode | DashboardErrorCode
  readonly details: readonly ErrorDetail[] | undefined
  /** Seconds after which a repetition makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode | DashboardErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return { ...ERRORS, ...DASHBOARD_ERRORS }[this.code]
  }
}

/** A site that isn't there, or isn't the caller's: both look alike. */
export function noSuchSite(): ApiError {
  return new ApiError('not_found', 'There is no such site. GET /v1/sites lists the sites of the organization.')
}

/**
 * Work that an operator asked for and that failed or was refused; the command line prints the message and exits 1. `faults`
 * are told below the message, each on a line of its own.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly lines: readonly string[]

  constructor(message: string, { faults = [], ...options }: { cause?: unknown; faults?: readonly string[] } = {}) {
    const lines = [message, ...faults]
    super(lines.join('\n  '), options)
    this.lines = lines
  }
}

/** Somebody scans the site already. */
export class ScanIsRunning extends CommandError {}

/** A command typed wrongly: unknown flag, bad value; the command line prints the message and exits 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
