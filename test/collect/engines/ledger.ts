import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** One request that an engine has read. */
export interface Entry {
  readonly provider: string
  readonly kind: 'ask' | 'follow' | 'poll'
  readonly question: string
  /** The model or the engine that was asked for. */
  readonly model: string
  /** Which request of this kind for this question, counted from 1. */
  readonly nth: number
  /** What was done with it. */
  readonly act: string
  /** True for an `ask` whose answer is on the bill. */
  readonly bought: boolean
  readonly atMs: number
  /** The body of the response, whatever became of it on its way. Kept when the engines are told to. */
  readonly body?: unknown
}

/** What was asked and bought. Each entry is in the file before anything is sent for it. */
export class Ledger {
  readonly entries: Entry[]
  readonly #path: string | undefined

  constructor(path?: string) {
    this.#path = path
    this.entries = path === undefined ? [] : readLedger(path)
  }

  add(entry: Entry): void {
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(entry)}\n`)
    this.entries.push(entry)
  }
}

function readLedger(path: string): Entry[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Entry)
}

/** How often each question was bought of each provider and model: `openai gpt-5.5 What of p1?`. */
export function countPurchases(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const bought = entries.filter((entry) => entry.bought)
  const groups = Map.groupBy(bought, ({ provider, model, question }) => `${provider} ${model} ${question}`)
  return new Map([...groups].map(([key, { length }]) => [key, length]))
}
