import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { type App, openApp } from '../src/app.ts'
import { ENGINE_IDS } from '../src/domain/enums.ts'
import type { Site } from '../src/domain/site.ts'
import { CommandError } from '../src/errors.ts'
import { readRanges, saveRanges } from '../src/import-logs/bot-ranges.ts'
import { importAnswers } from '../src/import-answers/import-answers.ts'
import { importLogs } from '../src/import-logs/import-logs.ts'
import { DISCOVER_MIN_DEFAULT } from '../src/limits.ts'
import { listRangesDocuments } from '../src/reference/bots.ts'
import type { Context } from './command.ts'
import { openImportProgress } from './import-output.ts'
import { printNote } from './io.ts'
import { refreshCardsAfterImport } from './refresh-cards.ts'
import { parsePrompts } from './prompts-csv.ts'
import { countOf } from './format.ts'

const SiteFile = v.strictObject({
  organization: v.strictObject({ id: v.string(), name: v.string() }),
  site: v.strictObject({
    id: v.string(),
    name: v.string(),
    domain: v.string(),
    aliases: v.array(v.string()),
    market: v.string(),
    platforms: v.array(v.picklist(ENGINE_IDS)),
  }),
  competitors: v.array(
    v.strictObject({
      id: v.string(),
      name: v.string(),
      domains: v.array(v.string()),
      aliases: v.array(v.string()),
      confirmed: v.boolean(),
    }),
  ),
})
type SiteFile = v.InferOutput<typeof SiteFile>

type World = Pick<Context, 'io' | 'signal' | 'dataDir'>

/**
 * Brings the demo's inputs into a data directory through the import path of operators; what is there already stays as it
 * is. Refuses a directory that holds another site.
 */
export async function fillDemo(app: App, inputs: string, world: World): Promise<Site> {
  const file = v.parse(SiteFile, JSON.parse(await readFile(join(inputs, 'site.json'), 'utf8')))
  const prompts = parsePrompts(await readFile(join(inputs, 'prompts.csv'), 'utf8'), 'prompts.csv')
  const { loaded } = await readRanges(listRangesDocuments(), join(inputs, 'ranges'))
  const site = app.catalog.transaction(() => {
    const demo = findOrCreateSite(app, file)
    for (const competitor of file.competitors) {
      if (app.catalog.competitors.find(demo.id, competitor.id) === undefined)
        app.catalog.competitors.add(demo.id, competitor)
    }
    app.catalog.prompts.add(demo.id, prompts, { existing: 'keep' })
    return demo
  })
  saveRanges(app.catalog, loaded, app.clock)
  await importDemoAnswers(app, site, join(inputs, 'answers.ndjson.zst'), world)
  await playCards(app, site, await readFile(join(inputs, 'cards.json'), 'utf8'))
  await importDemoLog(app, site, join(inputs, 'access.log.gz'), world)
  await refreshCardsAfterImport(app, site, { ...world, unusualDataDir: world.dataDir })
  return site
}

const CardsFile = v.strictObject({
  /** When the first cards were found, and when those of these identities were marked done. */
  found_at: v.pipe(v.string(), v.isoTimestamp()),
  done_at: v.pipe(v.string(), v.isoTimestamp()),
  done: v.array(v.string()),
})

/** What an operator would have done with cards weeks ago, so that there are results to look at. Only where there are no cards yet. */
async function playCards({ config, catalog }: App, site: Site, file: string): Promise<void> {
  if (catalog.cards.list(site.id, 'all').length > 0) return
  const { found_at, done_at, done } = v.parse(CardsFile, JSON.parse(file))
  let nowMs = Date.parse(found_at)
  await using past = await openApp(config, { mode: 'command', clock: { now: () => nowMs } })
  await past.actions.refresh(site.id)
  nowMs = Date.parse(done_at)
  for (const { id, identity } of past.catalog.cards.list(site.id, 'open')) {
    if (done.includes(identity)) await past.actions.markDone(site.id, id)
  }
}

function findOrCreateSite({ catalog }: App, file: SiteFile): Site {
  const [first, ...others] = catalog.sites.list()
  if (first === undefined) {
    const organization = catalog.organizations.create(file.organization)
    return catalog.sites.create({ ...file.site, organizationId: organization.id })
  }
  if (others.length === 0 && first.domain === file.site.domain) return first
  throw new CommandError(
    'The data directory holds sites of your own. Give the demo a directory for itself: answerlake demo --data-dir DIR',
  )
}

async function importDemoAnswers(app: App, site: Site, path: string, { io, signal }: World): Promise<void> {
  const progress = openImportProgress(io, app.clock)
  const result = await importAnswers(app.change, {
    site,
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: false,
    dryRun: false,
    strict: true,
    discoverMin: DISCOVER_MIN_DEFAULT,
    signal,
    onProgress: ({ readBytes, totalBytes, records }) =>
      progress.report({ done: readBytes, total: totalBytes, note: countOf(records, 'answer') }),
  }).finally(() => progress.close())
  printNote(io, `${countOf(result.imported, 'answer')} imported, ${countOf(result.duplicates, 'duplicate')} left out`)
}

/** A few lines of the log are cut short, as in real ones; they are counted and left out. */
async function importDemoLog(app: App, site: Site, path: string, { io, signal }: World): Promise<void> {
  const progress = openImportProgress(io, app.clock)
  const result = await importLogs(app.change, {
    site,
    files: [path],
    format: 'combined',
    dryRun: false,
    strict: false,
    signal,
    onProgress: ({ readBytes, totalBytes, lines }) =>
      progress.report({ done: readBytes, total: totalBytes, note: countOf(lines, 'line') }),
  }).finally(() => progress.close())
  const { bot_hits, visits, already_imported } = result
  printNote(
    io,
    `${countOf(bot_hits, 'bot hit')} and ${countOf(visits, 'visit')} imported, ${countOf(already_imported, 'line')} there before`,
  )
}
