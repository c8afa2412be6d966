import * as v from 'valibot'
import content from '../../data/referral_sources.json' with { type: 'json' }
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

/** An answer engine or assistant that sends visitors (contract/api 5.12). */
export interface ReferralSource {
  /** What reports show: the engine's id where there is one, otherwise a slug of the same kind. */
  readonly id: string
  readonly name: string
  /** In a `Referer`: these hosts and their subdomains. */
  readonly hosts: readonly string[]
  /** A host with the beginning of a path, `bing.com/chat`, where only a part of the host is an assistant. */
  readonly paths: readonly string[]
  /** Values of `utm_source`, lower-case; each host counts as one too. */
  readonly utmSources: readonly string[]
  /** Android packages, as in `android-app://com.openai.chatgpt/`. */
  readonly apps: readonly string[]
}

const host = v.pipe(v.string(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/))

const referralSourceFile = v.strictObject({
  ...HEAD,
  referral_sources: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.regex(/^[a-z0-9]+(_[a-z0-9]+)*$/)),
      name: v.pipe(v.string(), v.nonEmpty()),
      hosts: v.array(host),
      paths: v.array(v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(\/[a-z0-9-]+)+$/))),
      utm_sources: v.array(v.pipe(v.string(), v.nonEmpty(), v.toLowerCase(), v.trim())),
      apps: v.array(v.pipe(v.string(), v.regex(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/))),
      ...SOURCED,
    }),
  ),
})

const REFERRAL_SOURCES: readonly ReferralSource[] = parseCatalogue(
  'referral_sources.json',
  referralSourceFile,
  content,
).referral_sources.map(({ id, name, hosts, paths, utm_sources, apps }) => ({
  id,
  name,
  hosts,
  paths,
  utmSources: utm_sources,
  apps,
}))

/** The bundled answer engines that send visitors, with the hosts, paths, apps and `utm_source` values that tell them. */
export function listReferralSources(): readonly ReferralSource[] {
  return REFERRAL_SOURCES
}
