import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fillDemo } from '../../../cli/demo-inputs.ts'
import { openTestIo } from '../../cli/support/test-io.ts'
import { openTestService, type TestService } from '../../support/http.ts'

const INPUTS = fileURLToPath(new URL('../../../data/demo', import.meta.url))

/** The morning after the last day of the demo's inputs. */
const NOW = Date.parse('2026-11-16T08:00:00.000Z')

export interface DemoService extends TestService {
  readonly siteId: string
  readonly key: string
}

/** The demo as operators have it, but with a clock that stands, so that every run gives the same answers. */
export async function openDemoService(): Promise<DemoService> {
  const service = await openTestService({ clock: { now: () => NOW } })
  const { catalog } = service.app
  const { organization, site } = JSON.parse(readFileSync(`${INPUTS}/site.json`, 'utf8'))
  catalog.organizations.create(organization)
  const { id: siteId } = catalog.sites.create({ ...site, organizationId: organization.id })
  await fillDemo(service.app, INPUTS, {
    io: openTestIo(),
    signal: new AbortController().signal,
    dataDir: service.dataDir,
  })
  const { value: key } = catalog.keys.create({
    name: 'demo write',
    expiresInDays: 30,
    permission: 'write',
    organizationId: organization.id,
    creator: 'demo',
  })
  return { ...service, siteId, key }
}
