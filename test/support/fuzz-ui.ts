import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { DASHBOARD_ERRORS, ERRORS } from '../../src/errors.ts'
import type { AnyUiEndpoint } from '../../src/http/dashboard/ui-endpoint.ts'
import { UI_ENDPOINTS } from '../../src/http/dashboard/ui-endpoints.ts'
import { arbitraryUiRequest, PLACEHOLDER, toContent, type UiRequestPlan } from './arbitrary-ui-requests.ts'
import { openTestService, type TestResponse, type TestService } from './http.ts'
import { FUZZ_ORIGIN, makeSide, type Side } from './ui-sides.ts'

const STATUSES: Readonly<Record<string, number>> = { ...ERRORS, ...DASHBOARD_ERRORS }

/**
 * Sends `cases` random requests to the operations of the dashboard whose path matches, by people of two organizations and by
 * nobody, from its page and from elsewhere. Fails on an answer of 500 and above, a code that isn't its status's, a body that isn't
 * as documented, a request that is let in by what the asker isn't or where it comes from, a refused one that changed something,
 * and whatever shows of the other organization. Gives the answers by status.
 */
export async function fuzzUi(cases: number, seed: number, only: RegExp = /./): Promise<Record<number, number>> {
  const service = await openTestService({ settings: { public_url: FUZZ_ORIGIN } })
  const statuses: Record<number, number> = {}
  try {
    const sides = [makeSide(service, 'wombat'), makeSide(service, 'quokka')] as const
    const world = { site: sides[0].site, otherSite: sides[1].site, promptIds: sides.flatMap((side) => side.promptIds) }
    const operations = UI_ENDPOINTS.filter(({ path }) => only.test(path))
    const byName = new Map(operations.map((operation) => [operation.operation, operation]))
    await fc.assert(
      fc.asyncProperty(arbitraryUiRequest(world, operations), async (plan) => {
        const operation = byName.get(plan.operation)!
        const [own, other] = [sides[plan.side], sides[1 - plan.side]!]
        const { status } = await askAndCheck(service, operation, plan, { own, other })
        statuses[status] = (statuses[status] ?? 0) + 1
      }),
      { numRuns: cases, seed },
    )
  } finally {
    await service.close()
  }
  return statuses
}

interface Sides {
  readonly own: Side
  readonly other: Side
}

async function askAndCheck(
  service: TestService,
  operation: AnyUiEndpoint,
  plan: UiRequestPlan,
  sides: Sides,
): Promise<TestResponse> {
  const { audit } = service.app.catalog
  const { asker, source } = plan
  const person = asker === 'nobody' ? undefined : sides.own.findPerson(asker)
  const { path, body, named } = fillIn(operation, plan, sides)
  const sent = `${path} ${body ?? ''}`
  const before = audit.list({ limit: 1 })[0]?.id
  const answer = await service.send({
    method: operation.method,
    path,
    headers: { ...sides.own.toHeaders(source), ...(person && { cookie: person.headers.cookie }) },
    ...(body !== undefined && { body }),
  })
  const { status, text, body: received } = answer
  const what = `${status}: ${text.slice(0, 2_000)}\n${service.log.at(-1)}`
  assert.ok(status < 500, what)
  if (status >= 400) {
    assert.equal(STATUSES[received.error.code], status, what)
    assert.equal(audit.list({ limit: 1 })[0]?.id, before, `it was refused and changed something\n${what}`)
  } else {
    assert.equal(whyNot(operation, plan, sides, named), undefined, what)
  }
  // Whoever has a link or a password may see whose it is.
  if (operation.access !== 'public') assertNothingOf(sides, answer, sent, what)
  return answer
}

/** Why a request must be refused; undefined when it may be taken. */
function whyNot(
  { method, access, confirmsPassword }: AnyUiEndpoint,
  { asker, source }: UiRequestPlan,
  { own, other }: Sides,
  named: ReadonlySet<string>,
): string | undefined {
  if (source === 'cross site' || (source !== 'dashboard' && method !== 'GET')) return `it comes from ${source}`
  if (access === 'public') return undefined
  if (asker === 'nobody') return 'nobody is signed in'
  if (access === 'owner' && asker === 'member') return 'it is an owner’s'
  if (confirmsPassword && asker === 'unconfirmed') return 'the password was typed too long ago'
  return [...named].some((id) => other.has(id) && !own.has(id)) ? 'it is about the other organization' : undefined
}

/** The request, with what it names: ids in its path, and those in fields of its body that name a thing. */
function fillIn(operation: AnyUiEndpoint, plan: UiRequestPlan, { own, other }: Sides) {
  const named = new Set<string>()
  const find = (whose: string, name: string, at: number): string => {
    const id = (whose === 'own' ? own : other).find(name, at)
    if (name.endsWith('_id')) named.add(id)
    return id
  }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    ['own', 'other'].includes(plan.param) ? find(plan.param, name, plan.at) : plan.param,
  )
  const content = toContent(operation, plan)
  if (operation.body === undefined) return { path: path + content.query, named }
  const body = JSON.stringify(content.body, (key, value: unknown) => {
    const [, whose, name] = (typeof value === 'string' && PLACEHOLDER.exec(value)) || []
    // Another thing than the path names.
    if (whose !== undefined && name !== undefined) return find(whose, name, plan.at + 1)
    if (key === 'site_id' && typeof value === 'string') named.add(value)
    return value
  })
  return { path: path + content.query, body: body ?? 'null', named }
}

/** Nothing of the other organization is in the answer that wasn't in the request. */
function assertNothingOf({ own, other }: Sides, { text }: TestResponse, sent: string, what: string): void {
  const isSent = (word: string): boolean => sent.toLowerCase().includes(word)
  assert.ok(!text.toLowerCase().includes(other.name) || isSent(other.name), `it shows ${other.name}\n${what}`)
  const ids = new Set(text.match(/\b[a-z]{3,4}_[0-9a-z]{26}\b/g))
  const shown = [...ids].filter((id) => !own.has(id) && other.has(id) && !isSent(id))
  assert.deepEqual(shown, [], what)
}
