import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { importLogs } from '../../src/import-logs/import-logs.ts'
import type { TestService } from '../support/http.ts'
import { makeLogWorld } from '../support/oracle/log-world.ts'
import { makeWorld } from '../support/oracle/world.ts'
import type { AskedSite } from './questions.ts'

const KEY = 'engines'

/** A site of another organization in the same lake, with strange names, links and times. */
export async function addSecondSite({ app, dataDir }: TestService): Promise<{ site: AskedSite; key: string }> {
  const { catalog, change } = app
  const world = makeWorld(KEY)
  const organization = catalog.organizations.create({ name: 'Second', requestsPerMinute: 1_000_000_000 })
  const site = catalog.sites.create({ ...world.site, organizationId: organization.id })
  catalog.prompts.add(site.id, world.prompts)
  for (const competitor of world.competitors) catalog.competitors.add(site.id, competitor)
  const write = (name: string, lines: readonly string[]): string => {
    const path = join(dataDir, name)
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    return path
  }
  for (const [call, files] of world.imports.entries()) {
    await importAnswers(change, {
      site,
      files: files.map((records, index) =>
        write(
          `${call}-${index}.ndjson`,
          records.map((record) => JSON.stringify(record)),
        ),
      ),
      format: 'auto',
      defaults: {},
      createPrompts: false,
      dryRun: false,
      strict: false,
      discoverMin: 3,
    })
  }
  const logs = makeLogWorld(KEY)
  for (const { document, prefix } of logs.ranges) {
    catalog.botRanges.replaceDocument(document, [prefix], Date.parse('2026-01-05T00:00:00Z'))
  }
  for (const [call, files] of logs.imports.entries()) {
    const paths = files.map((lines, index) => write(`${call}-${index}.log`, lines))
    await importLogs(change, { site, files: paths, format: 'combined', dryRun: false, strict: true })
  }
  const { value: key } = catalog.keys.create({
    name: 'tests',
    expiresInDays: 30,
    organizationId: organization.id,
    creator: 'tests',
  })
  const logDays = logs.hits.map(({ timeMs }) => new Date(timeMs).toISOString().slice(0, 10)).sort()
  return {
    key,
    site: {
      siteId: site.id,
      answers: { firstDay: world.days[0] ?? '', lastDay: world.days.at(-1) ?? '' },
      logs: { firstDay: logDays[0] ?? '', lastDay: logDays.at(-1) ?? '' },
      promptIds: world.prompts.map(({ id }) => id),
      domains: world.competitors.flatMap(({ domains }) => domains),
      bots: [...new Set(logs.hits.map(({ bot }) => bot.name))],
      sources: [...new Set(logs.visits.map(({ source }) => source))],
    },
  }
}
