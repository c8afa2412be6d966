import * as fc from 'fast-check'
import { KEY_EXPIRY_DAYS } from '../../src/domain/api-key.ts'
import { KEY_PERMISSIONS } from '../../src/domain/enums.ts'
import { ROLES } from '../../src/domain/user.ts'
import type { AnyUiEndpoint } from '../../src/http/dashboard/ui-endpoint.ts'
import {
  arbitraryBody,
  arbitraryQuery,
  type BodyPlan,
  fieldValues,
  json,
  QUERY_PARAMETERS,
  text,
  toBody,
} from './arbitrary-requests.ts'
import type { World } from './world.ts'

/** Who asks: `unconfirmed` is an owner whose password was typed too long ago. */
export const ASKERS = ['nobody', 'member', 'owner', 'unconfirmed'] as const
export type Asker = (typeof ASKERS)[number]

/** Where a request comes from, more often from the dashboard's own page. */
export const SOURCES = ['dashboard', 'address bar', 'no origin', 'wrong origin', 'cross site'] as const
export type Source = (typeof SOURCES)[number]

/** What stands for something that is only known when the request is sent: `<own key_id>`, `<other mail>`. */
export const PLACEHOLDER = /^<(own|other) (\w+)>$/

export interface UiRequestPlan extends BodyPlan {
  readonly operation: string
  readonly asker: Asker
  readonly source: Source
  /** Which of the two organizations is the asker's own. */
  readonly side: 0 | 1
  /** Which of several things of a kind is meant. */
  readonly at: number
  /** In the place of every parameter of the path. */
  readonly param: string
  readonly query: string
  /** Also fields and parameters that the operation doesn't know. */
  readonly withStrays: boolean
}

export const FUZZ_PASSWORD = 'correct horse battery'

/** Any request to any of the operations of the dashboard, by anybody, from anywhere, about own things, another's and nothing. */
export function arbitraryUiRequest(
  world: Pick<World, 'site' | 'otherSite' | 'promptIds'>,
  operations: readonly AnyUiEndpoint[],
): fc.Arbitrary<UiRequestPlan> {
  const things = (name: string) => fc.constantFrom(`<own ${name}>`, `<own ${name}>`, `<other ${name}>`)
  const values = {
    ...fieldValues(world),
    mail: fc.oneof(things('mail'), fc.constant('<own new_mail>'), text, json),
    password: fc.oneof(fc.constantFrom(FUZZ_PASSWORD, 'twelve chars'), text, json),
    secret: fc.oneof(things('secret'), fc.constant('A'.repeat(43)), text, json),
    into: fc.oneof(things('competitor_id'), json),
    role: fc.oneof(fc.constantFrom(...ROLES), json),
    note: fc.oneof(text, json),
    name: fc.oneof(text, json),
    permission: fc.oneof(fc.constantFrom(...KEY_PERMISSIONS), json),
    expires_in_days: fc.oneof(fc.constantFrom(...KEY_EXPIRY_DAYS), json),
    budget_usd: fc.oneof(fc.double(), json),
  }
  return fc.record({
    operation: fc.constantFrom(...operations.map(({ operation }) => operation)),
    asker: fc.constantFrom('owner', 'owner', ...ASKERS),
    source: fc.oneof(
      { weight: 12, arbitrary: fc.constant('dashboard' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...SOURCES) },
    ),
    side: fc.constantFrom(0, 1),
    at: fc.nat({ max: 100 }),
    param: fc.oneof(
      { weight: 8, arbitrary: fc.constant('own') },
      { weight: 2, arbitrary: fc.constant('other') },
      { weight: 1, arbitrary: text.map((name) => encodeURIComponent(name.toWellFormed()) || 'x') },
    ),
    query: arbitraryQuery(QUERY_PARAMETERS),
    withStrays: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    ...arbitraryBody(values),
  })
}

/** The query string and the body of a request, with placeholders. */
export function toContent(
  endpoint: AnyUiEndpoint,
  { query, withStrays, ...plan }: UiRequestPlan,
): { readonly query: string; readonly body: unknown } {
  const example = toOwnExample(endpoint)
  const isKnown = (name: string): boolean =>
    withStrays || Object.hasOwn(example, name) || ('site_id' in example && OPTIONAL_FIELDS.has(name))
  const body =
    'content' in plan.body
      ? plan.body
      : { change: Object.fromEntries(Object.entries(plan.body.change).filter(([name]) => isKnown(name))) }
  return {
    query: withStrays || endpoint.query !== undefined ? query : '',
    body: toBody({ ...plan, body }, example),
  }
}

/** Fields that an operation may take though its example has none. */
const OPTIONAL_FIELDS = new Set(['filter', 'sort', 'limit', 'cursor', 'group_by', 'metrics', 'brands', 'timezone'])

/** What an operation's example must hold to be about the asker's own things. */
function toOwnExample({ operation, example }: AnyUiEndpoint): object {
  const fields: Readonly<Record<string, string>> = {
    site_id: '<own site_id>',
    mail: operation === 'inviteMember' ? '<own new_mail>' : '<own mail>',
    password: FUZZ_PASSWORD,
    secret: '<own secret>',
    into: '<own competitor_id>',
  }
  return Object.fromEntries(
    Object.entries(Object(example.body) as object).map(([name, value]) => [name, fields[name] ?? value]),
  )
}
