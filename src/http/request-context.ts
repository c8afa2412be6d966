import { noSuchSite } from '../errors.ts'
import type { Caller } from './access.ts'
import type { Context, ServerApp } from './context.ts'
import type { Exchange } from './exchange.ts'

/** The context of one request that passed all checks. */
export class RequestContext implements Context {
  readonly app: ServerApp
  readonly getDocument: Context['getDocument']
  readonly #exchange: Exchange

  constructor(exchange: Exchange, { app, getDocument }: Pick<Context, 'app' | 'getDocument'>) {
    this.app = app
    this.getDocument = getDocument
    this.#exchange = exchange
  }

  get caller(): Caller {
    const { caller } = this.#exchange
    if (caller === undefined) throw new Error('a public operation has no caller')
    return caller
  }

  get work(): Context['work'] {
    const { work } = this.#exchange
    if (work === undefined) throw new Error('an operation without a body has no work')
    return work
  }

  readonly getSite: Context['getSite'] = (siteId) => {
    const site = this.app.catalog.sites.findOf(this.caller.organization.id, siteId)
    if (site === undefined) throw noSuchSite()
    this.#exchange.siteId = site.id
    return site
  }

  readonly change: Context['change'] = (work, toLine) => {
    const { catalog } = this.app
    return catalog.whenFree(() =>
      catalog.transaction(() => {
        const result = work()
        const line = toLine(result)
        if (line !== undefined) this.note(line)
        return result
      }),
    )
  }

  readonly note: Context['note'] = (line) => {
    const { caller } = this
    const actor = 'key' in caller ? caller.key.id : caller.user.mail
    this.app.catalog.audit.record({ organizationId: caller.organization.id, actor, ...line })
  }
}
