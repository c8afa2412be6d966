/** Columns that a server writes unless told otherwise. */
interface DefaultColumns {
  /** As they would stand in `#Fields`, lower-case. */
  readonly names: readonly string[]
  /** They were added at the end over the years: a line has as many as one of these, from the first on. */
  readonly counts: readonly number[]
}

const IIS = `date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(user-agent)`

/** For lines that no `#Fields` precedes, by format. */
export const DEFAULT_COLUMNS: Readonly<
  Record<'w3c' | 'cloudfront' | 'cloudfront-realtime', readonly DefaultColumns[]>
> = {
  w3c: [
    define(`${IIS} cs(referer) sc-status sc-substatus sc-win32-status time-taken`, [15]),
    define(`${IIS} sc-status sc-substatus sc-win32-status time-taken`, [13, 14]),
  ],
  cloudfront: [
    define(
      `date time x-edge-location sc-bytes c-ip cs-method cs(host) cs-uri-stem sc-status cs(referer) cs(user-agent)
      cs-uri-query cs(cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken
      x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status
      fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len
      sc-range-start sc-range-end`,
      [12, 15, 18, 19, 20, 23, 24, 26, 33],
    ),
  ],
  'cloudfront-realtime': [
    define(
      `timestamp c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes
      x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent
      cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for ssl-protocol ssl-cipher
      x-edge-result-type fle-encrypted-fields fle-status sc-content-type sc-content-len sc-range-start sc-range-end
      c-port x-edge-detailed-result-type c-country cs-accept-encoding cs-accept cache-behavior-path-pattern cs-headers
      cs-header-names cs-headers-count primary-distribution-id primary-distribution-dns-name origin-fbl origin-lbl asn`,
      Array.from({ length: 25 }, (_, more) => 20 + more),
    ),
  ],
}

function define(names: string, counts: readonly number[]): DefaultColumns {
  return { names: names.split(/\s+/), counts }
}
