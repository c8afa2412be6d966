/** What is done with a request. Whether something is bought by it stands in `isBought`. */
export type Act =
  | { readonly do: 'answer'; readonly afterMs?: number }
  /** The engine has no answer. */
  | { readonly do: 'none' }
  /** The answer ends before it is complete. */
  | { readonly do: 'unfinished' }
  /** The body comes in that many pieces. */
  | { readonly do: 'drip'; readonly pieces: number; readonly everyMs: number }
  /** An error before anything was bought: 400, 401, 402, 403, 422, 429, 503 … */
  | {
      readonly do: 'refuse'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  /** An error after the answer was bought. */
  | { readonly do: 'break'; readonly status: number }
  /** An error whose body repeats the request with its secret; with 200, an answer that does. */
  | { readonly do: 'echo'; readonly status: number }
  /** A page of HTML with status 200, after the answer was bought. */
  | { readonly do: 'html' }
  /** The connection ends after that many bytes of the body. */
  | { readonly do: 'cut'; readonly at: number }
  /** The body is made that large with white space. */
  | { readonly do: 'pad'; readonly bytes: number; readonly gzip?: boolean }
  /** The connection is reset after the request was read. */
  | { readonly do: 'reset'; readonly bought: boolean }
  /** Nothing is ever sent. */
  | { readonly do: 'silence'; readonly bought: boolean }
  /** A task that is never ready. */
  | { readonly do: 'never' }
  /** A task that fails, for which nothing is billed. */
  | { readonly do: 'fail' }
  /** Anthropic pauses its turn that often. */
  | { readonly do: 'pause'; readonly times: number }

/** The first rule that fits a request says what is done with it. */
export interface Rule {
  readonly provider?: string
  /** A part of the question. */
  readonly question?: string
  /** `ask` buys; `follow` fetches a part of what was bought; `poll` looks for a task's result. */
  readonly kind?: 'ask' | 'follow' | 'poll'
  /** Which requests of a question, counted from 1 for each kind. */
  readonly nth?: readonly number[]
  /** It fits one in so many requests, chosen by question and number. */
  readonly oneIn?: number
  readonly act: Act
}

export interface Script {
  readonly rules?: readonly Rule[]
  /** How long an engine thinks. */
  readonly latencyMs?: number
  /** How long a task takes. */
  readonly taskMs?: number
  readonly pageTokenLifeMs?: number
  /** Every so many connections one is reset before anything of it is read. */
  readonly resetEveryConnections?: number
  /** Requests a second that a provider takes; more of them are 429. */
  readonly perSecond?: Readonly<Record<string, number>>
}

/** Whether the engine did the work that is paid for, whatever came of it. */
export function isBought(act: Act): boolean {
  if (act.do === 'refuse' || act.do === 'fail') return false
  if (act.do === 'echo') return act.status === 200
  return act.do === 'reset' || act.do === 'silence' ? act.bought : true
}
