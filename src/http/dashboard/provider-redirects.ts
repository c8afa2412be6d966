import type { H3, H3Event, HTTPResponse } from 'h3'
import { toSecretHash } from '../../domain/user.ts'
import { ApiError } from '../../errors.ts'
import { PAGE_PATH_CHARACTERS_MAX, UI_PUBLIC_RATE } from '../../people-limits.ts'
import { CALLBACK_PATH, type Provider, ProviderRefusal, type Vouched } from '../../sign-in/provider.ts'
import { refuseExcess } from '../access.ts'
import { unknownPath } from '../checks.ts'
import type { ServerApp } from '../context.ts'
import type { Exchange } from '../exchange.ts'
import type { Serving } from '../mount.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { respondRedirect } from '../respond.ts'
import { findJourney, findSessionValue, toJourneyCookie, toSessionCookie } from './cookie.ts'
import { enter } from './enter.ts'
import { listOrigins } from './origins.ts'
import { findHolder } from './session-access.ts'

/** Where `Sign in with …` leads. */
const BEGIN_PATH = '/ui/sign-in/oidc'
/** Where a browser may be sent afterwards: a page of the dashboard, and never another host. */
const PAGE_PATH = /^\/(?:(?:sites|settings)\/[\w.~%/?&=,:+-]*)?$/

/** The two redirections of signing in by an OpenID provider (contract/dashboard 8): to it, and back. */
export function mountProviderRedirects(router: H3, { app, exchangeOf }: Serving, limiter: RateLimiter): void {
  const on = (
    path: string,
    answer: (exchange: Exchange, origin: string, provider: Provider) => Promise<HTTPResponse>,
  ) =>
    router.on('GET', path, async (event: H3Event) => {
      const exchange = exchangeOf(event)
      exchange.route = path
      const [origin] = listOrigins(exchange.request, app.config.publicUrl)
      if (origin === undefined) throw new ApiError('not_allowed', 'Without TLS nobody signs in here.')
      exchange.rate = limiter.take(`address ${exchange.client}`, UI_PUBLIC_RATE, true)
      refuseExcess(exchange.rate, 'This address has')
      const provider = await app.signIn.findProvider()
      if (provider === undefined) throw unknownPath()
      return answer(exchange, origin, provider)
    })
  on(BEGIN_PATH, (exchange, origin, provider) => begin(app, exchange, origin, provider))
  on(CALLBACK_PATH, (exchange, origin, provider) => finish(app, exchange, origin, provider))
}

async function begin(app: ServerApp, exchange: Exchange, origin: string, provider: Provider): Promise<HTTPResponse> {
  const asked = new URLSearchParams(exchange.target.query)
  const to = asked.get('to') ?? '/'
  const purpose = {
    confirms: asked.has('confirm'),
    to: to.length <= PAGE_PATH_CHARACTERS_MAX && PAGE_PATH.test(to) ? to : '/',
    session: nameSession(app, exchange),
  }
  try {
    const { location, journey } = await provider.begin(origin, purpose)
    return respondRedirect(exchange, location, [toJourneyCookie(journey)])
  } catch (error) {
    return fail(exchange, 'provider_failed', error)
  }
}

/**
 * The hash of the session's value, by which the way back ends it: browsers hide the `SameSite=Strict` cookie from what a page of
 * the provider leads to. An id could be put into a journey by anybody who has seen it; the hash only by who had the value.
 */
function nameSession(app: ServerApp, { request }: Exchange): string | undefined {
  const value = findSessionValue(request)
  if (value === undefined || app.catalog.sessions.authenticate(value) === undefined) return undefined
  return toSecretHash(value)?.toString('base64url')
}

async function finish(app: ServerApp, exchange: Exchange, origin: string, provider: Provider): Promise<HTTPResponse> {
  const journey = findJourney(exchange.request)
  if (journey === undefined) return fail(exchange, 'provider_failed', new Error('the browser brought no journey'))
  try {
    const vouched = await provider.finish(origin, `?${exchange.target.query}`, journey)
    const entered = await enterAs(app, exchange, vouched)
    if ('refusal' in entered) return fail(exchange, 'not_let_in', new Error(entered.refusal))
    return respondRedirect(exchange, vouched.to, [toSessionCookie(entered.value), toJourneyCookie(null)])
  } catch (error) {
    return fail(exchange, error instanceof ProviderRefusal ? 'not_let_in' : 'provider_failed', error)
  }
}

async function enterAs(
  app: ServerApp,
  { client, request }: Exchange,
  { user, confirms, session }: Vouched,
): Promise<{ readonly value: string } | { readonly refusal: string }> {
  const context = {
    app,
    holder: findHolder(app.catalog, request),
    client: { address: client, name: request.headers['user-agent'] ?? '' },
  }
  let refusal = 'the user was revoked'
  const admit = () => {
    const admission = app.catalog.identities.admit(user)
    if (!('refusal' in admission)) return { user: admission.user, detail: { changed: admission.changed } }
    refusal = admission.refusal
    return undefined
  }
  const before = session === undefined ? undefined : Buffer.from(session, 'base64url')
  return (await enter(context, { by: 'openid', isConfirmed: confirms, before, admit })) ?? { refusal }
}

/** Back to the page for signing in, which says that it didn't work; the log says why. */
function fail(exchange: Exchange, reason: 'not_let_in' | 'provider_failed', error: unknown): HTTPResponse {
  exchange.refusal = tell(error)
  return respondRedirect(exchange, `/sign-in?failed=${reason}`, [toJourneyCookie(null)])
}

/** What went wrong, and what lay behind it. */
function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${tell(error.cause)}` : error.message
}
