import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { getScan } from '../../../src/http/dashboard/operations/get-scan.ts'
import { startServer } from '../../../src/http/server.ts'
import type { Script } from '../../collect/engines/script.ts'
import { secretEnvironment } from '../../collect/engines/secrets.ts'
import { setUpScan } from '../../collect/support/scan-stage.ts'
import { signIn } from './support/person.ts'

/** A server over a site with three prompts that can be scanned, and an owner who is signed in. */
async function makeStage(script: Script = {}) {
  const target = { engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' } as const
  const stage = await setUpScan({ prompts: 3, targets: [target], samples: 1, concurrency: 1, usdDay: 100 }, script)
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const config = parseConfig({ dataDir: stage.data, environment: {} }, {}, '')
  const app = await openApp(config, { mode: 'server', environment: secretEnvironment() })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const { connections, connectionsPerAddress } = config
  const log = { write: () => {} }
  const server = await startServer(app, { host: '127.0.0.1', port: 0, log, connections, connectionsPerAddress })
  onTestFinished(() => server.close())
  const { organizationId } = app.catalog.sites.get('acme')
  const owner = signIn({ app, url: server.url }, { organizationId, role: 'owner' })
  const ask = async (path: string, { body, role = owner }: { body?: object; role?: typeof owner } = {}) => {
    const answer = await fetch(`${server.url}/ui/v1/sites/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...role.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const configure = (change: object): void => {
    const path = join(stage.data, 'scan.json')
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change }))
  }
  const bought = () => stage.engines.ledger.entries.filter((entry) => entry.bought).length
  return { ...stage, app, owner, ask, configure, bought, url: server.url, organizationId }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error('it did not come true within 20 seconds')
    await pause(20)
  }
}

test('an owner begins a scan, which goes on in the server, and everybody sees how far it is', async () => {
  const { app, ask, bought, url, organizationId, owner } = await makeStage({ latencyMs: 200 })
  const member = signIn({ app, url }, { organizationId, role: 'member' })
  const before = await ask('acme/scan', { role: member })
  expect(before.status).toBe(200)
  expect(v.safeParse(getScan.response, before.body).issues).toBeUndefined()
  expect(before.body.data).toMatchObject({ configured: true, plan: { open: { calls: 3 } }, running: null, last: null })
  const begun = await ask('acme/scan/run', { body: {} })
  expect(begun).toMatchObject({ status: 200, body: { data: { run_id: expect.stringMatching(/^run_/) } } })
  expect(await ask('acme/scan/run', { body: {} })).toMatchObject({
    status: 409,
    body: { error: { code: 'scan_running', message: 'A scan of acme.com runs already. Wait for its end.' } },
  })
  const during = await ask('acme/scan', { role: member })
  expect(v.safeParse(getScan.response, during.body).issues).toBeUndefined()
  expect(during.body.data.running).toMatchObject({ id: begun.body.data.run_id, status: 'running' })
  await until(async () => (await ask('acme/scan')).body.data.running === null)
  expect(bought()).toBe(3)
  const after = await ask('acme/scan', { role: member })
  expect(v.safeParse(getScan.response, after.body).issues).toBeUndefined()
  expect(after.body.data).toMatchObject({
    plan: { made: 3, open: { calls: 0 } },
    runs: [{ id: begun.body.data.run_id, status: 'complete' }],
    last: { targets: [{ answered: 3 }] },
  })
  const [line] = app.catalog.audit.list({ organizationId, limit: 1 })
  expect(line).toMatchObject({
    action: 'scan.run',
    actor: owner.user.mail,
    subject: begun.body.data.run_id,
    detail: { site_id: 'acme', budget_usd: null },
  })
})

test('a scan that cannot be noted is not begun', async () => {
  const { app, ask, bought, data } = await makeStage()
  const db = new Database(join(data, 'catalog.sqlite'))
  onTestFinished(() => void db.close())
  db.exec(`CREATE TRIGGER faulty BEFORE INSERT ON audit WHEN NEW.action = 'scan.run' BEGIN SELECT json('x'); END`)
  expect((await ask('acme/scan/run', { body: {} })).status).toBe(500)
  expect(app.catalog.scanRuns.list('acme', 'answer')).toEqual([])
  db.exec('DROP TRIGGER faulty')
  expect((await ask('acme/scan/run', { body: {} })).status).toBe(200)
  await until(async () => (await ask('acme/scan')).body.data.running === null)
  expect(bought()).toBe(3)
})

test('a scan of an organization that is being moved is refused at once, as other changes of it are', async () => {
  const { app, ask, bought, organizationId } = await makeStage()
  app.catalog.moves.stop(organizationId)
  const startedMs = performance.now()
  const refused = await ask('acme/scan/run', { body: {} })
  expect(refused).toMatchObject({
    status: 503,
    body: { error: { code: 'overloaded', message: expect.stringMatching(/^The organization is moving/) } },
  })
  expect(performance.now() - startedMs).toBeLessThan(5_000)
  expect(app.catalog.scanRuns.list('acme', 'answer')).toEqual([])
  app.catalog.moves.resume(organizationId)
  expect((await ask('acme/scan/run', { body: {} })).status).toBe(200)
  await until(async () => (await ask('acme/scan')).body.data.running === null)
  expect(bought()).toBe(3)
})

test('a member and another organization begin nothing', async () => {
  const { app, ask, bought, url, organizationId } = await makeStage()
  const member = signIn({ app, url }, { organizationId, role: 'member' })
  expect(await ask('acme/scan/run', { body: {}, role: member })).toMatchObject({
    status: 403,
    body: { error: { code: 'not_allowed' } },
  })
  const other = app.catalog.organizations.create({ name: 'Other' })
  const stranger = signIn({ app, url }, { organizationId: other.id, role: 'owner' })
  for (const options of [{ role: stranger }, { role: stranger, body: {} }]) {
    const path = 'body' in options ? 'acme/scan/run' : 'acme/scan'
    expect(await ask(path, options)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  }
  expect(bought()).toBe(0)
})

test('the budget of a run is taken as money, and without any budget nothing is asked', async () => {
  const { ask, bought, configure, app } = await makeStage()
  for (const budget_usd of [0, -1, 1_000_000, '5', null]) {
    expect(await ask('acme/scan/run', { body: { budget_usd } })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: [{ path: 'budget_usd' }] } },
    })
  }
  configure({ budget: undefined })
  expect(await ask('acme/scan/run', { body: {} })).toMatchObject({
    status: 422,
    body: { error: { code: 'scan_refused', message: expect.stringContaining('There is no budget for chatgpt') } },
  })
  expect(bought()).toBe(0)
  expect(app.catalog.audit.list({ limit: 50 }).filter(({ action }) => action === 'scan.run')).toEqual([])
  expect((await ask('acme/scan/run', { body: { budget_usd: 100 } })).status).toBe(200)
  await until(async () => (await ask('acme/scan')).body.data.running === null)
  expect(bought()).toBe(3)
})

test('without scan.json it says so, and shows no path of the machine', async () => {
  const { ask, data } = await makeStage()
  rmSync(join(data, 'scan.json'))
  const looked = await ask('acme/scan')
  expect(looked.body).toEqual({
    data: { configured: false, why: 'The data directory has no scan.json, so nobody is asked.' },
  })
  const refused = await ask('acme/scan/run', { body: {} })
  expect(refused).toMatchObject({ status: 422, body: { error: { code: 'scan_refused' } } })
  expect(JSON.stringify([looked, refused])).not.toContain(data)
})
