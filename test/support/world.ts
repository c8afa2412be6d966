import type { Site } from '../../src/domain/site.ts'
import type { TestService } from './http.ts'

/** Two organizations with a site each, and keys of every kind. */
export interface World {
  readonly site: Site
  readonly otherSite: Site
  readonly organizationId: string
  readonly readKey: string
  readonly writeKey: string
  readonly otherKey: string
  readonly revokedKey: string
  /** Of an organization whose plan has lapsed. */
  readonly lapsedKey: string
  readonly promptIds: readonly string[]
}

/** Limits that no test reaches by accident. */
const PLENTY = { requestsPerMinute: 10_000_000, writesPerMinute: 10_000_000 }

export function createWorld({ app: { catalog } }: TestService): World {
  const organization = catalog.organizations.create({ name: 'Acme Inc', ...PLENTY })
  const other = catalog.organizations.create({ name: 'Other Inc', ...PLENTY })
  const lapsed = catalog.organizations.create({ name: 'Lapsed Inc', planStatus: 'lapsed' })
  const site = catalog.sites.create({ name: 'Acme', domain: 'acme.com', organizationId: organization.id })
  const otherSite = catalog.sites.create({ name: 'Other', domain: 'other.example', organizationId: other.id })
  const createKey = (organizationId: string, permission: 'read' | 'write') =>
    catalog.keys.create({ name: `a ${permission} key`, expiresInDays: 30, permission, organizationId, creator: 'test' })
  const revoked = createKey(organization.id, 'write')
  catalog.keys.revoke(revoked.key.id)
  const { added } = catalog.prompts.add(site.id, [
    { text: 'What is the best tool for small teams?', category: 'Discovery' },
    { text: 'Acme or Globex?', category: 'Comparison', market: 'Berlin' },
    { text: 'What does Acme cost?', category: 'Pricing', status: 'disabled' },
  ])
  catalog.competitors.add(site.id, { name: 'Globex', domains: ['globex.com'] })
  catalog.competitors.add(site.id, { name: 'Initech', confirmed: false })
  return {
    site,
    otherSite,
    organizationId: organization.id,
    readKey: createKey(organization.id, 'read').value,
    writeKey: createKey(organization.id, 'write').value,
    otherKey: createKey(other.id, 'write').value,
    revokedKey: revoked.value,
    lapsedKey: createKey(lapsed.id, 'write').value,
    promptIds: added.map((prompt) => prompt.id),
  }
}
