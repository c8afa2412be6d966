import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fillDemo } from '../../../cli/demo-inputs.ts'
import { openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { openTestIo } from '../../cli/support/test-io.ts'
import { openTestService, type TestService } from '../../support/http.ts'
import { makeOnce } from '../../support/made-once.ts'

const INPUTS = fileURLToPath(new URL('../../../data/demo', import.meta.url))

/** The morning after the last day of the demo's inputs. */
const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const clock = { now: () => NOW }

export interface DemoService extends TestService {
  readonly organizationId: string
  readonly siteId: string
  readonly key: string
}

/** The demo as operators have it, but with a clock that stands, so that every run gives the same answers. */
export async function openDemoService(): Promise<DemoService> {
  const service = await openTestService({ clock, fill: (dataDir) => makeOnce('demo', dataDir, makeDemo) })
  const { catalog } = service.app
  const { id: siteId, organizationId } = catalog.sites.list()[0]!
  const { value: key } = catalog.keys.create({
    name: 'demo write',
    expiresInDays: 30,
    permission: 'write',
    organizationId,
    creator: 'demo',
  })
  return { ...service, organizationId, siteId, key }
}

async function makeDemo(dataDir: string): Promise<void> {
  const config = parseConfig({ dataDir, environment: {} }, {}, 'config.json')
  await using app = await openApp(config, { mode: 'server', create: true, clock })
  const { organization, site } = JSON.parse(readFileSync(`${INPUTS}/site.json`, 'utf8'))
  app.catalog.organizations.create(organization)
  app.catalog.sites.create({ ...site, organizationId: organization.id })
  await fillDemo(app, INPUTS, { io: openTestIo(), signal: new AbortController().signal, dataDir })
}
