import { useEffect, useRef } from 'preact/hooks'
import type { ScanReply } from '../../../http/dashboard/operations/get-scan.ts'
import type { Schemas } from '../../../client/client.ts'
import { toSitePath } from '../../site-path.ts'
import { forgetReplies, type Loading, useThing } from '../../use-reply.ts'

const POLL_MS = 3_000

const isRunning = (scan: ScanReply | undefined): boolean => scan?.configured === true && scan.running !== null

/** The scan of a site, asked again while one runs. */
export function useScan(site: Schemas['Site']): Loading<ScanReply> {
  const question = { method: 'GET', path: toSitePath(site.id, 'scan') } as const
  const scan = useThing<ScanReply>(question, (value) => (isRunning(value) ? POLL_MS : undefined))
  const wasRunning = useRef(false)
  const runs = isRunning(scan.value)
  useEffect(() => {
    // What it brought is in every report.
    if (wasRunning.current && !runs && scan.value !== undefined) forgetReplies()
    wasRunning.current = runs
  }, [runs])
  return scan
}
