import type { Schemas } from '../../../client/client.ts'
import { OWNER_NAMES, SOURCE_KIND_NAMES } from '../../names.ts'
import { pickKey } from '../../pick-key.ts'
import type { ViewState } from '../../url-state.ts'

/** What of the sources the URL asks for; empty for any. */
export interface SourceChoices {
  readonly entity: 'domain' | 'page'
  readonly owner: Schemas['Owner'] | ''
  readonly kind: Schemas['SourceKind'] | ''
  /** A domain, whose pages are looked at. */
  readonly domain: string
  /** What domains hold. */
  readonly find: string
  /** Where the own brand isn't: for no answer named, or for no answer cited. */
  readonly gap: 'named' | 'cited'
}

export function readChoices({ more }: ViewState): SourceChoices {
  const { entity, owner, kind, domain = '', find = '', gap } = more
  return {
    entity: entity === 'page' ? 'page' : 'domain',
    owner: pickKey(owner, OWNER_NAMES) ?? '',
    kind: pickKey(kind, SOURCE_KIND_NAMES) ?? '',
    domain,
    find,
    gap: gap === 'cited' ? 'cited' : 'named',
  }
}
