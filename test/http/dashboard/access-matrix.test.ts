import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnyUiEndpoint } from '../../../src/http/dashboard/ui-endpoint.ts'
import { UI_ENDPOINTS } from '../../../src/http/dashboard/ui-endpoints.ts'
import { CARD } from '../../../src/schemas/examples.ts'
import { hashPassword } from '../../../src/sign-in/password.ts'
import { expectGolden } from '../../support/golden.ts'
import { openTestService, type TestResponse, type TestService } from '../../support/http.ts'
import { API_SAMPLES } from '../support/api-samples.ts'
import { type Person, signIn } from './support/person.ts'

const PASSWORD = 'correct horse battery'

let service: TestService
let watcher: Database.Database
let password: string
beforeAll(async () => {
  // Time stands still, so that noting the last use of a session changes no row.
  service = await openTestService({ clock: { now: () => Date.parse('2026-11-20T08:00:00.000Z') } })
  watcher = new Database(service.app.catalog.path, { readonly: true })
  password = await hashPassword(PASSWORD)
})
afterAll(async () => {
  watcher.close()
  await service.close()
})

/** Differs from before when the server has changed anything in the catalog's file. */
const readVersion = (): unknown => watcher.pragma('data_version', { simple: true })

const PERSONAS = ['nobody', 'member', 'owner', 'unconfirmed', 'stranger', 'crossSite'] as const
type Persona = (typeof PERSONAS)[number]

/** An organization with one of everything that an operation may be about, and somebody who asks. */
function makeThings(persona: Persona) {
  const { catalog } = service.app
  const { id: organizationId } = catalog.organizations.create({ name: 'Acme Inc' })
  const { id: strangersId } = catalog.organizations.create({ name: 'Strange Inc' })
  const site = catalog.sites.create({ name: 'Acme', domain: `${organizationId.slice(-8)}.example`, organizationId })
  const competitor = catalog.competitors.add(site.id, { name: 'Initech', confirmed: false })
  const other = catalog.competitors.add(site.id, { name: 'Globex' })
  const finding = {
    rule: 'test',
    identity: 'test',
    targetMetric: CARD.target_metric,
    targetPrompts: [],
    targetPlatforms: [],
    targetUrl: CARD.target_url,
    foundFrom: '2026-11-01',
    foundTo: '2026-11-15',
  }
  const card = catalog.cards.create(site.id, { ...CARD, ...finding })
  const { key } = catalog.keys.create({ name: 'a key', expiresInDays: 30, organizationId, creator: 'test' })
  const colleague = signIn(service, { organizationId, role: 'member', password })
  const invited = catalog.users.invite({
    organizationId,
    mail: `${site.domain}@acme.com`,
    role: 'member',
    inviter: 'x',
  })
  const person = signIn(service, {
    organizationId: persona === 'stranger' ? strangersId : organizationId,
    role: persona === 'member' ? 'member' : 'owner',
    isConfirmed: persona !== 'unconfirmed',
    password,
  })
  const params: Readonly<Record<string, string>> = {
    site_id: site.id,
    competitor_id: competitor.id,
    action_id: card.id,
    key_id: key.id,
    user_id: colleague.user.id,
    session_id: persona === 'stranger' ? colleague.session.id : person.session.id,
  }
  /** What an example's body needs of this organization to be good. */
  const bodies: Readonly<Record<string, object>> = {
    mergeCompetitor: { into: other.id },
    reopenCard: {},
    signIn: { mail: person.user.mail, password: PASSWORD },
    confirmPassword: { password: PASSWORD },
    lookAtLink: { secret: invited.secret },
    useLink: { secret: invited.secret, password: PASSWORD },
    inviteMember: { mail: `new-${person.user.id}@acme.com`, role: 'member' },
  }
  if (persona !== 'nobody') catalog.cards.notes.put(site.id, card.id, { note: 'a note', actor: person.user.mail })
  return {
    person,
    params,
    bodies,
    secrets: [site.id, site.domain, key.id, colleague.user.mail, card.id, competitor.id],
  }
}

type Things = ReturnType<typeof makeThings>

function toHeaders(persona: Persona, { headers }: Person): Record<string, string> {
  const { cookie, ...others } = headers
  if (persona === 'nobody') return others
  if (persona === 'crossSite') return { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  return { cookie, ...others }
}

async function ask(operation: AnyUiEndpoint, persona: Persona, { person, params, bodies }: Things) {
  const { catalog } = service.app
  if (operation.operation === 'reopenCard') catalog.cards.dismiss(params['site_id']!, params['action_id']!)
  const sample = API_SAMPLES[operation.operation]
  const given = bodies[operation.operation] ?? sample?.body ?? operation.example.body
  const needsSite = 'site_id' in Object(operation.example.body)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`makeThings has no ${name}, which ${operation.operation} needs`)
    return value
  })
  const before = readVersion()
  const answer = await service.send({
    method: operation.method,
    path: path + (sample?.query ?? ''),
    headers: toHeaders(persona, person),
    ...(operation.body && { body: { ...Object(given), ...(needsSite && { site_id: params['site_id'] }) } }),
  })
  return { answer, isChanged: readVersion() !== before }
}

/** Who may do what, as the operation's definition says it. */
function toRights({ access, confirmsPassword, path, example }: AnyUiEndpoint): Record<Persona, string> {
  const isOfThings = path.includes('{') || 'site_id' in Object(example.body)
  return {
    nobody: access === 'public' ? 'yes' : '401 `not_signed_in`',
    member: access === 'owner' ? '403 `not_allowed`' : 'yes',
    owner: 'yes',
    unconfirmed: confirmsPassword ? '403 `password_required`' : 'yes',
    stranger: isOfThings ? '404 `not_found`' : 'yes',
    crossSite: '403 `cross_site`',
  }
}

/** What the table says of an answer: its code where access is refused, else that there is access. */
function toCell({ status, body }: TestResponse): string {
  const code: unknown = body?.error?.code
  return status === 404 || (typeof code === 'string' && REFUSALS.has(code)) ? `${status} \`${String(code)}\`` : 'yes'
}

const REFUSALS = new Set(['not_signed_in', 'not_allowed', 'password_required', 'cross_site'])
/** Nothing is configured that could be asked; whoever hears that was let in. */
const REFUSED_LATER: ReadonlySet<string> = new Set(['runScan'])

describe('every operation', () => {
  test.each(UI_ENDPOINTS.map((operation) => [operation.operation, operation] as const))(
    '%s is for those it is meant for',
    async (name, operation) => {
      const expected = toRights(operation)
      for (const persona of PERSONAS) {
        const things = makeThings(persona)
        const { answer, isChanged } = await ask(operation, persona, things)
        expect([persona, toCell(answer)], answer.text).toEqual([persona, expected[persona]])
        if (expected[persona] !== 'yes') expect([persona, isChanged]).toEqual([persona, false])
        else if (!REFUSED_LATER.has(name)) expect(answer.status, `${persona}: ${answer.text}`).toBeLessThan(300)
        if (name === 'confirmCompetitor') expect([persona, isChanged]).toEqual([persona, expected[persona] === 'yes'])
        if (operation.method === 'GET') expect([persona, isChanged]).toEqual([persona, false])
        if (persona === 'stranger' && operation.access !== 'public') {
          expect(things.secrets.filter((secret) => answer.text.includes(secret))).toEqual([])
        }
      }
    },
  )

  test('has a name and a path of its own, and takes JSON where it changes anything', () => {
    const names = UI_ENDPOINTS.map(({ operation }) => operation)
    expect(new Set(names).size).toBe(names.length)
    const paths = UI_ENDPOINTS.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(paths).size).toBe(paths.length)
    expect(UI_ENDPOINTS.filter(({ method, body }) => (method === 'GET') !== (body === undefined))).toEqual([])
  })
})

test('docs/security.md has the table of who may do what', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8')
  const [before, after] = page.split(/^\| operation \|[^]*?\n(?=\n)/m)
  expectGolden('docs/security.md', [before, renderTable(), after].join(''))
})

function renderTable(): string {
  const rows = UI_ENDPOINTS.map((operation) => {
    const rights = toRights(operation)
    const cells = PERSONAS.map((persona) => rights[persona])
    return [`\`${operation.method} ${operation.path.replace('/ui/v1', '')}\``, operation.summary, ...cells]
  })
  const head = ['operation', 'what', 'nobody', 'member', 'owner', 'owner, password typed too long ago']
  const last = ["another organization's owner", "another site's page"]
  return [[...head, ...last], [...head, ...last].map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
}
