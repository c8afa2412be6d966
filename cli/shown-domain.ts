import { domainToUnicode } from 'node:url'

/** A domain as people read it: an international one in its own letters, `bücher.example`; every command takes it so, too. */
export function toShownDomain(domain: string): string {
  return domainToUnicode(domain) || domain
}
