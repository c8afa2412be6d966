import type { App } from '../src/app.ts'
import type { Site } from '../src/domain/site.ts'
import type { Context } from './command.ts'
import { printNote } from './io.ts'
import { countOf } from './format.ts'
import { toShownDomain } from './shown-domain.ts'

/** Refreshes a site's cards when an import is done and told; nothing that happens here changes the import's outcome. */
export async function refreshCardsAfterImport(
  app: App,
  site: Site,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
): Promise<void> {
  try {
    const { created } = await app.actions.refresh(site.id, { onlyWhenChanged: true, signal })
    if (created > 0) {
      printNote(
        io,
        `${countOf(created, 'new card')}; see: answerlake actions list --site ${toShownDomain(site.domain)}`,
      )
    }
  } catch (error) {
    if (signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    printNote(
      io,
      `note: the action cards were not refreshed (${reason}). Try: answerlake actions refresh --site ${toShownDomain(site.domain)}`,
    )
  }
}
