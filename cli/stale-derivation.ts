import type { Catalog } from '../src/catalog/catalog.ts'
import type { Dataset } from '../src/domain/manifest.ts'
import type { Site } from '../src/domain/site.ts'
import { printNote, type Io } from './io.ts'
import { toShownDomain } from './shown-domain.ts'

/** Says that stored answers keep their mentions after a brand's spellings changed, when the site has any. */
export function noteOlderAnswers(io: Io, catalog: Catalog, site: Site): void {
  note(io, catalog, site, { datasets: ['answers'], what: 'Answers already imported keep their mentions' })
}

/** Says that stored hits and visits keep their page types after the rules changed, when the site has any. */
export function noteOlderHits(io: Io, catalog: Catalog, site: Site): void {
  note(io, catalog, site, {
    datasets: ['bot_hits', 'visits'],
    what: 'Hits and visits already imported keep their page types',
  })
}

function note(io: Io, catalog: Catalog, site: Site, about: { datasets: readonly Dataset[]; what: string }): void {
  const { live } = catalog.manifest.totals(site.id)
  if (live.some(({ dataset, rows }) => about.datasets.includes(dataset) && rows > 0)) {
    printNote(io, `${about.what} until: answerlake lake rederive --site ${toShownDomain(site.domain)}`)
  }
}
