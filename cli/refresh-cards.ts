import type { App } from '../src/app.ts'
import type { Site } from '../src/domain/site.ts'
import type { Context } from './command.ts'
import { printNote } from './io.ts'
import { countOf } from './format.ts'
import { toShownDomain } from './shown-domain.ts'

interface World extends Pick<Context, 'io' | 'signal'> {
  /** The data directory, where other commands look for another one unless they are told. */
  readonly unusualDataDir?: string
}

/** Refreshes a site's cards when an import is done and told; nothing that happens here changes the import's outcome. */
export async function refreshCardsAfterImport(
  app: App,
  site: Site,
  { io, signal, unusualDataDir }: World,
): Promise<void> {
  const which = `--site ${toShownDomain(site.domain)}${unusualDataDir === undefined ? '' : ` --data-dir ${unusualDataDir}`}`
  try {
    const { created } = await app.actions.refresh(site.id, { onlyWhenChanged: true, signal })
    if (created > 0) {
      printNote(io, `${countOf(created, 'new card')}; see: answerlake actions list ${which}`)
    }
  } catch (error) {
    if (signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    printNote(io, `note: the action cards were not refreshed (${reason}). Try: answerlake actions refresh ${which}`)
  }
}
