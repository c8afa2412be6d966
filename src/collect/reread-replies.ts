import { join } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import type { Site } from '../domain/site.ts'
import { importAnswers } from '../import-answers/import-answers.ts'
import type { ImportAnswersOptions } from '../import-answers/import-options.ts'
import type { ImportAnswersResult } from '../import-answers/import-result.ts'
import { DISCOVER_MIN_DEFAULT } from '../limits.ts'
import { readAnswer, toAnswerId } from './answer-call.ts'
import { listSealed } from './spool.ts'
import { readSpoolLines } from './spool-line.ts'

export interface RereadOptions extends Pick<ImportAnswersOptions, 'signal' | 'onProgress' | 'onWait'> {
  readonly dataDir: string
  readonly site: Site
}

/**
 * Reads a site's kept replies again, in one change: what the adapters make of them today takes the place of what stands in
 * the lake, where it says something else, and what could not be read then comes in. Rejects with CommandError.
 */
export async function rereadReplies(
  change: ChangeContext,
  { dataDir, site, ...during }: RereadOptions,
): Promise<ImportAnswersResult> {
  const { calls, scanRuns } = change.catalog
  const names: string[] = []
  for (const run of scanRuns.list(site.id, 'answer').toReversed()) names.push(...(await listSealed(dataDir, run)))
  const result = await importAnswers(change, {
    ...during,
    site,
    files: names.map((name) => join(dataDir, name)),
    format: 'auto',
    defaults: {},
    createPrompts: false,
    replace: true,
    dryRun: false,
    strict: false,
    discoverMin: DISCOVER_MIN_DEFAULT,
  })
  const unread = new Map(calls.listUnread(site.id).map((call) => [toAnswerId(call), call]))
  const there = new Set(names)
  const files = new Set([...unread.values()].map(({ spool }) => `${spool}.zst`).filter((name) => there.has(name)))
  for (const name of files) {
    for await (const { response, ...envelope } of readSpoolLines(join(dataDir, name))) {
      const call = unread.get(envelope.id)
      const reading = call && readAnswer(envelope, response)
      if (reading && reading.status !== 'failed') calls.markRead(call.callNo, reading.status)
    }
  }
  return result
}
