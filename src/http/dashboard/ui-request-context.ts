import type { SessionHolder } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import type { Exchange } from '../exchange.ts'
import { RequestContext } from '../request-context.ts'
import { toSessionCookie } from './cookie.ts'
import { listOrigins } from './origins.ts'
import type { UiContext } from './ui-endpoint.ts'

/** The context of one request of the dashboard that passed all checks. */
export class UiRequestContext extends RequestContext implements UiContext {
  readonly #exchange: Exchange

  constructor(exchange: Exchange, parts: Pick<Context, 'app' | 'getDocument'>) {
    super(exchange, parts)
    this.#exchange = exchange
  }

  override get caller(): SessionHolder {
    const { holder } = this
    if (holder === undefined) throw new Error('a public operation has no caller')
    return holder
  }

  get holder(): SessionHolder | undefined {
    const { caller } = this.#exchange
    return caller !== undefined && 'user' in caller ? caller : undefined
  }

  get client(): UiContext['client'] {
    const { client, request } = this.#exchange
    return { address: client, name: request.headers['user-agent'] ?? '' }
  }

  get origin(): string | undefined {
    return listOrigins(this.#exchange.request, this.app.config.publicUrl)[0]
  }

  readonly setSession: UiContext['setSession'] = (value) => {
    this.#exchange.cookie = toSessionCookie(value)
  }
}
