import type { Site } from '../../src/domain/site.ts'
import { CARD } from '../../src/schemas/examples.ts'
import { type Person, signIn } from '../http/dashboard/support/person.ts'
import { storeCheaply } from '../sign-in/support/cheap-password.ts'
import { type Asker, FUZZ_PASSWORD, type Source } from './arbitrary-ui-requests.ts'
import type { TestService } from './http.ts'

/** Where a proxy with TLS shows the dashboard. */
export const FUZZ_ORIGIN = 'https://lake.acme.com'

/** One of two organizations that must see nothing of each other. */
export interface Side {
  /** Stands in every name, address and domain of the organization. */
  readonly name: string
  readonly site: Site
  readonly promptIds: readonly string[]
  /** Somebody who is signed in, another one after every 50 requests: a person has limits. */
  findPerson(as: Exclude<Asker, 'nobody'>): Person
  /** One of the present things of a kind, which is made where there are too few. */
  find(kind: string, at: number): string
  /** Whether an id is of something of the organization, as far as the catalog knows. */
  has(id: string): boolean
  /** What a browser sends beside its cookie. Each request comes from another address. */
  toHeaders(source: Source): Record<string, string>
}

const REQUESTS_PER_PERSON = 50
const STORED = storeCheaply(FUZZ_PASSWORD)
let made = 0

/** An organization with a site, prompts, competitors, cards, keys and people. */
export function makeSide(service: TestService, name: string): Side {
  const { catalog } = service.app
  const { id: organizationId } = catalog.organizations.create({ name: `${name} Inc` })
  const site = catalog.sites.create({ name: `The ${name}`, domain: `${name}.example`, organizationId })
  const texts = ['What is the best %?', '% or Globex?', 'What does % cost?']
  const given = texts.map((text) => ({ text: text.replace('%', name), category: 'Discovery' as const }))
  const promptIds = catalog.prompts.add(site.id, given).added.map(({ id }) => id)
  const toMail = (): string => `${name}-${++made}@acme.com`

  const people = new Map<string, { readonly person: Person; requests: number }>()
  const findPerson: Side['findPerson'] = (as) => {
    const known = people.get(as)
    if (known !== undefined && known.requests < REQUESTS_PER_PERSON && isStill(as, known.person)) {
      known.requests += 1
      return known.person
    }
    const role = as === 'member' ? 'member' : 'owner'
    const isConfirmed = as !== 'unconfirmed'
    const person = signIn(service, { organizationId, role, isConfirmed, password: STORED, mail: toMail() })
    people.set(as, { person, requests: 1 })
    return person
  }
  /** Nobody has ended the session, confirmed it, or made its user something else. */
  const isStill = (as: Exclude<Asker, 'nobody'>, { headers }: Person): boolean => {
    const holder = catalog.sessions.authenticate(headers.cookie.split('=')[1] ?? '')
    const isConfirmed = holder?.session.confirmedAt !== null
    return holder?.user.role === (as === 'member' ? 'member' : 'owner') && isConfirmed === (as !== 'unconfirmed')
  }

  const listCompetitors = (): readonly string[] => {
    for (let lacking = 4 - catalog.competitors.list(site.id).length; lacking > 0; lacking--) {
      catalog.competitors.add(site.id, { name: `${name} rival ${++made}`, confirmed: lacking % 2 === 0 })
    }
    return catalog.competitors.list(site.id).map(({ id }) => id)
  }
  const makeCard = (): string => {
    const identity = `${name} ${++made}`
    const finding = { rule: 'test', identity, foundFrom: '2026-11-01', foundTo: '2026-11-15' }
    const target = {
      targetMetric: CARD.target_metric,
      targetPrompts: [],
      targetPlatforms: [],
      targetUrl: CARD.target_url,
    }
    return catalog.cards.create(site.id, { ...CARD, title: `For the ${name}`, ...finding, ...target }).id
  }
  for (let cards = 0; cards < 20; cards++) makeCard()
  const makeKey = () =>
    catalog.keys.create({ name: `${name} key`, expiresInDays: 30, organizationId, creator: toMail() }).key.id
  for (let keys = 0; keys < 5; keys++) makeKey()

  const listUsers = () => catalog.users.list(organizationId)
  const finders: Readonly<Record<string, () => readonly string[]>> = {
    site_id: () => [site.id],
    competitor_id: listCompetitors,
    action_id: () => catalog.cards.list(site.id, 'all').map(({ id }) => id),
    key_id: () => catalog.keys.list(organizationId).map(({ id }) => id),
    user_id: () => listUsers().map(({ id }) => id),
    session_id: () => [...people.values()].map(({ person }) => person.session.id),
    mail: () => listUsers().map(({ mail }) => mail),
    new_mail: () => [toMail()],
    secret: () => [catalog.users.invite({ organizationId, mail: toMail(), role: 'member', inviter: name }).secret],
  }
  const known = new Set<string>()
  const learn = (): void => {
    for (const kind of ['site_id', 'competitor_id', 'action_id', 'key_id', 'user_id', 'session_id']) {
      for (const id of finders[kind]?.() ?? []) known.add(id)
    }
    for (const id of [organizationId, ...catalog.prompts.list(site.id).prompts.map((prompt) => prompt.id)])
      known.add(id)
    for (const { id } of catalog.audit.list({ organizationId, limit: 1_000 })) known.add(id)
  }
  for (const as of ['member', 'owner', 'unconfirmed'] as const) findPerson(as)
  return {
    name,
    site,
    promptIds,
    findPerson,
    find(kind, at) {
      const found = finders[kind]?.() ?? []
      const one = found[at % found.length]
      if (one === undefined) throw new Error(`${name} has no ${kind}`)
      return one
    },
    has(id) {
      if (!known.has(id)) learn()
      return known.has(id)
    },
    toHeaders(source) {
      made += 1
      const address = `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`
      return { 'x-forwarded-for': address, ...SOURCE_HEADERS[source] }
    },
  }
}

const SOURCE_HEADERS: Readonly<Record<Source, Record<string, string>>> = {
  dashboard: { origin: FUZZ_ORIGIN, 'sec-fetch-site': 'same-origin' },
  'address bar': { 'sec-fetch-site': 'none' },
  'no origin': {},
  'wrong origin': { origin: 'https://evil.example' },
  'cross site': { origin: FUZZ_ORIGIN, 'sec-fetch-site': 'cross-site' },
}
