import { randomUUID } from 'node:crypto'
import type { EngineReply } from './answers.ts'
import type { Script } from './script.ts'

export interface Task {
  readonly id: string
  readonly question: string
  readonly model: string
  readonly reply: EngineReply
  readonly readyMs: number
  readonly fails: boolean
  /** What the request said of the task. */
  readonly asked: unknown
}

/** What the engines remember between requests: tasks under way and page tokens. */
export class Desk {
  readonly #script: () => Script
  readonly #tasks = new Map<string, Task>()
  readonly #tokens = new Map<string, { readonly question: string; readonly diesMs: number }>()

  constructor(script: () => Script) {
    this.#script = script
  }

  openTask(task: Pick<Task, 'question' | 'model' | 'reply' | 'asked'>, act: { readonly do: string }): Task {
    const takesMs = act.do === 'never' ? Number.POSITIVE_INFINITY : (this.#script().taskMs ?? 20)
    const opened = { ...task, id: randomUUID(), readyMs: performance.now() + takesMs, fails: act.do === 'fail' }
    this.#tasks.set(opened.id, opened)
    return opened
  }

  findTask(id: string): Task | undefined {
    return this.#tasks.get(id)
  }

  isReady({ readyMs }: Task): boolean {
    return performance.now() >= readyMs
  }

  /** A token for the rest of an answer; it dies after a minute, unless the script says otherwise. */
  givePageToken(question: string): string {
    const token = `${randomUUID()}==`
    this.#tokens.set(token, { question, diesMs: performance.now() + (this.#script().pageTokenLifeMs ?? 60_000) })
    return token
  }

  /** The question of a token, and whether it is dead. */
  findPageToken(token: string): { readonly question: string; readonly isDead: boolean } | undefined {
    const found = this.#tokens.get(token)
    return found && { question: found.question, isDead: performance.now() > found.diesMs }
  }
}
