import type { Catalog } from '../src/catalog/catalog.ts'
import type { Site } from '../src/domain/site.ts'
import { printNote, type Io } from './io.ts'

/** Says that stored answers keep their mentions after a brand's spellings changed, when the site has any. */
export function noteOlderAnswers(io: Io, catalog: Catalog, site: Site): void {
  const hasAnswers = catalog.manifest
    .totals(site.id)
    .live.some(({ dataset, rows }) => dataset === 'answers' && rows > 0)
  if (hasAnswers) {
    printNote(io, `Answers already imported keep their mentions until: answerlake lake rederive --site ${site.domain}`)
  }
}
