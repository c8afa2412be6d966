import type { Catalog } from '../catalog/catalog.ts'
import type { CallSteps } from '../catalog/call-steps.ts'
import { writePatiently } from './patience.ts'

interface Step {
  readonly run: () => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes steps of calls durable, those that wait at the same moment together: one sync of the disk for all of them. Its
 * promise resolves when it is there; a step that throws fails those that wait with it, and ends the run.
 */
export function openStepQueue(catalog: Pick<Catalog, 'calls' | 'transaction' | 'whenFree'>): {
  readonly step: <T>(work: (calls: CallSteps) => T) => Promise<T>
} {
  let waiting: Step[] = []
  let isWriting = false

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      try {
        await writePatiently(catalog, () => {
          catalog.transaction(() => {
            for (const { run } of taken) run()
          })
        })
        for (const { resolve } of taken) resolve()
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    isWriting = false
  }

  return {
    async step<T>(work: (calls: CallSteps) => T): Promise<T> {
      let result: { readonly value: T } | undefined
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const run = (): void => {
        result = { value: work(catalog.calls) }
      }
      waiting.push({ run, resolve, reject })
      if (!isWriting) {
        isWriting = true
        // After the replies that came with this one.
        setImmediate(() => void write())
      }
      await promise
      if (!result) throw new Error('a step was committed without being run')
      return result.value
    },
  }
}
