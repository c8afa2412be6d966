import { useEffect, useState } from 'preact/hooks'
import type { ScanReply } from '../../../http/dashboard/operations/get-scan.ts'
import { ask, Refusal, type Schemas } from '../../api.ts'
import { forgetReplies, type Loading } from '../../use-reply.ts'

const POLL_MS = 3_000

/** The scan of a site, asked again while one runs. `reload` asks at once. */
export function useScan(site: Schemas['Site']): { readonly scan: Loading<ScanReply>; readonly reload: () => void } {
  const [scan, setScan] = useState<Loading<ScanReply>>({ value: undefined, refusal: undefined, isLoading: true })
  const [asked, again] = useState(0)
  const isRunning = scan.value?.configured === true && scan.value.running !== null
  useEffect(() => {
    const controller = new AbortController()
    const path = `/sites/${encodeURIComponent(site.id)}/scan`
    ask<{ data: ScanReply }>({ method: 'GET', path }, controller.signal).then(
      ({ data }) => {
        setScan({ value: data, refusal: undefined, isLoading: false })
        // What it brought is in every report.
        if (isRunning && data.configured && data.running === null) forgetReplies()
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        const refusal = error instanceof Refusal ? error : new Refusal(0, { message: String(error) })
        setScan({ value: undefined, refusal, isLoading: false })
      },
    )
    return () => controller.abort()
  }, [site.id, asked])
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => again((count) => count + 1), POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return { scan, reload: () => again((count) => count + 1) }
}
