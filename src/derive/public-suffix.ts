import { parse } from 'tldts'

/**
 * Whether a host is an entry of the public suffix list, its private section included: `co.uk`, `github.io`. Anybody may
 * have a name under it, so it is nobody's own domain. An address and a bare host (`intranet`) are none.
 */
export function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  })
  return publicSuffix === host && (isIcann === true || isPrivate === true)
}
