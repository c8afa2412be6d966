import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openCatalog, type Catalog } from '../../src/catalog/catalog.ts'
import { SCHEMA_VERSION } from '../../src/catalog/migrations.ts'
import { toTimestamp, type Clock } from '../../src/clock.ts'
import { RANGES_AGE_MS_MAX } from '../../src/log-limits.ts'
import { listRangesDocuments } from '../../src/reference/bots.ts'
import { ok, problem, toReason, warning, type Finding, type Patient } from './finding.ts'

/** What the catalog tells: its schema and soundness, the clock, the lake's files, the address ranges of bots. */
export async function checkCatalog({ dataDir, clock }: Patient): Promise<readonly Finding[]> {
  let catalog: Catalog
  try {
    catalog = openCatalog(join(dataDir, 'catalog.sqlite'), { clock, mode: 'command' })
  } catch (error) {
    return [problem('catalog', toReason(error), 'nothing else of the catalog was checked')]
  }
  using opened = catalog
  return [
    checkSoundness(opened),
    checkClock(opened, clock),
    await checkLakeFiles(opened, join(dataDir, 'lake')),
    checkRanges(opened, clock),
  ]
}

function checkSoundness(catalog: Catalog): Finding {
  const [fault] = catalog.quickCheck()
  return fault === undefined
    ? ok('catalog', `schema version ${SCHEMA_VERSION}, sound`)
    : problem('catalog', `catalog.sqlite is damaged: ${fault}`, 'restore a backup: `answerlake restore DIR`')
}

/** A clock behind what was committed would let keys live too long and files go too late. */
function checkClock(catalog: Catalog, clock: Clock): Finding {
  const now = toTimestamp(clock.now())
  const newest = catalog.manifest.newestCommitAt()
  return newest !== undefined && newest > now
    ? problem(
        'clock',
        `it says ${now}, before the newest change of the lake (${newest})`,
        'set it, best with NTP; if it is right and was ahead then, `answerlake lake gc --grace 0` ends this, and with it cursors that are open',
      )
    : ok('clock', now)
}

/** Sizes only; `lake verify` reads everything. */
async function checkLakeFiles(catalog: Catalog, lakeDir: string): Promise<Finding> {
  let files = 0
  const wrong: string[] = []
  for (const site of catalog.sites.list()) {
    for (const file of catalog.manifest.listFiles(site.id, catalog.manifest.currentSnapshot(site.id))) {
      files += 1
      const size = await stat(join(lakeDir, file.path)).then(
        (found) => found.size,
        () => undefined,
      )
      if (size !== file.bytes) wrong.push(`${file.path} ${size === undefined ? 'is missing' : 'has another size'}`)
    }
  }
  return wrong.length === 0
    ? ok('lake files', `all ${files} there`)
    : problem(
        'lake files',
        `${wrong.length} of ${files} wrong: ${wrong[0] ?? ''}`,
        'see `answerlake lake verify`; restore a backup',
      )
}

function checkRanges(catalog: Catalog, clock: Clock): Finding {
  const check = 'bot ranges'
  const advice = 'renew them: `answerlake bots update`'
  const loadedAt = new Map(catalog.botRanges.listDocuments().map((one) => [one.documentUrl, one.lastLoadedAt]))
  const documents = listRangesDocuments()
  const missing = documents.filter(({ url }) => !loadedAt.has(url))
  const oldest = toTimestamp(clock.now() - RANGES_AGE_MS_MAX)
  const old = documents.filter(({ url }) => (loadedAt.get(url) ?? oldest) < oldest)
  if (missing.length === documents.length) return warning(check, 'none are loaded: no bot can be verified', advice)
  const parts = [
    ...(missing.length > 0 ? [`${missing.length} of ${documents.length} documents were never loaded`] : []),
    ...(old.length > 0 ? [`${old.length} are older than 30 days`] : []),
  ]
  return parts.length > 0 ? warning(check, parts.join(', '), advice) : ok(check, `${documents.length} documents loaded`)
}
