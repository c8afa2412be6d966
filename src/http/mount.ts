import type { H3, H3Event } from 'h3'
import type { Access } from './access.ts'
import type { createRowsAnswer } from './answer-rows.ts'
import { checkRequest } from './checks.ts'
import type { Context, ServerApp } from './context.ts'
import type { AnyOperation } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { decodeOnce } from './key-in-url.ts'
import { respondJson } from './respond.ts'

/** What all mounts of a server share. */
export interface Serving {
  readonly app: ServerApp
  /** The exchange of a request under way. */
  readonly exchangeOf: (event: H3Event) => Exchange
  readonly getDocument: Context['getDocument']
  readonly answerRows: ReturnType<typeof createRowsAnswer>
}

/** A table of operations, who may use them, and what their handlers are given of a request that passed all checks. */
interface Mount<O extends AnyOperation> {
  readonly operations: readonly O[]
  readonly access: Access<O>
  readonly toContext: (exchange: Exchange, parts: Pick<Context, 'app' | 'getDocument'>) => Context
}

/** Answers the operations on their paths. */
export function mount<O extends AnyOperation>(
  router: H3,
  { app, exchangeOf, getDocument, answerRows }: Serving,
  { operations, access, toContext }: Mount<O>,
): void {
  const answer = async (event: H3Event, operation: O): Promise<unknown> => {
    const exchange = exchangeOf(event)
    exchange.route = operation.path
    const pathValues = Object.fromEntries(
      Object.entries(event.context.params ?? {}).map(([name, value]) => [name, decodeOnce(value)]),
    )
    const input = await checkRequest({ app, access, endpoint: operation, exchange, pathValues })
    const context = toContext(exchange, { app, getDocument })
    const { rows } = operation
    const { format = 'json' } = exchange
    if (rows !== undefined && format !== 'json') {
      return answerRows({ exchange, endpoint: operation, rows, format, context, input })
    }
    const answered = await operation.handle(context, input)
    return respondJson(exchange, answered, operation.hasCreated?.(answered) === true ? 201 : 200)
  }
  for (const operation of operations) {
    for (const method of methodsOf(operation.method)) {
      router.on(method, toRoute(operation.path), (event) => answer(event, operation))
    }
  }
}

/** HEAD is answered like GET. */
export function methodsOf(method: AnyOperation['method']): (AnyOperation['method'] | 'HEAD')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/** h3's way to write a path template. */
export function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
