import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { CardFinding } from '../../../src/domain/action-card.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import { openTestService, type TestService } from '../../support/http.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type Person, signIn } from './support/person.ts'

let service: TestService
let world: World
let member: Person
beforeEach(async () => {
  service = await openTestService()
  onTestFinished(() => service.close())
  world = createWorld(service)
  member = signIn(service, { organizationId: world.organizationId, role: 'member' })
})

const get = (path: string) => service.send({ path: `/ui/v1${path}`, headers: member.headers })
const post = (path: string, body: object = {}) =>
  service.send({ method: 'POST', path: `/ui/v1${path}`, body, headers: member.headers })
const ofSite = (path: string): string => `/sites/${world.site.id}${path}`
const find = (name: string) => service.app.catalog.competitors.get(world.site.id, name)
const listAudit = () =>
  service.app.catalog.audit
    .list({ organizationId: world.organizationId, limit: 100 })
    .map(({ actor, action, subject, detail }) => ({ actor, action, subject, detail }))

let answers = 0

/** Brings in answers that list these brands themselves, and gives the names of all competitors there are then. */
async function importNaming(...brands: string[]): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-decisions-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'answers.ndjson')
  const lines = brands.map((brand) =>
    JSON.stringify({
      id: `answer-${++answers}`,
      date: '2026-11-19',
      platform: 'chatgpt',
      prompt: `What is better than ${brand}?`,
      text: `Some say ${brand}.`,
      mentions: [brand],
    }),
  )
  writeFileSync(file, lines.join('\n'))
  const { catalog, change } = service.app
  const result = await importAnswers(change, {
    site: catalog.sites.get(world.site.id),
    files: [file],
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: true,
    discoverMin: 5,
    signal: new AbortController().signal,
  })
  expect(result.imported).toBe(brands.length)
  return catalog.competitors.list(world.site.id).map(({ name }) => name)
}

describe('competitors', () => {
  test('are shown with what speaks for them', async () => {
    await importNaming('Umbrella')
    const { body } = await get(ofSite('/competitor-evidence'))
    expect(body.data).toMatchObject([
      { name: 'Globex', aliases: [], domains: ['globex.com'], confirmed: true, source: 'manual', answers: null },
      { name: 'Initech', confirmed: false, source: 'manual', answers: null },
      { name: 'Umbrella', confirmed: false, source: 'discovered', answers: 1 },
    ])
  })

  test('are confirmed and back, each with one line in the audit', async () => {
    const { id } = find('Initech')
    expect((await post(ofSite(`/competitors/${id}/confirm`))).body.data).toMatchObject({ id, confirmed: true })
    expect((await post(ofSite(`/competitors/${id}/confirm`))).body.data).toMatchObject({ id, confirmed: true })
    expect((await post(ofSite(`/competitors/${id}/unconfirm`))).body.data).toMatchObject({ id, confirmed: false })
    const detail = { site: world.site.id, name: 'Initech' }
    expect(listAudit()).toEqual([
      { actor: member.user.mail, action: 'competitor.unconfirm', subject: id, detail },
      { actor: member.user.mail, action: 'competitor.confirm', subject: id, detail },
    ])
  })

  test('that are ignored are gone, and no import finds them again', async () => {
    expect(await importNaming('Umbrella')).toContain('Umbrella')
    const { id } = find('Umbrella')
    const { status, body } = await post(ofSite(`/competitors/${id}/ignore`))
    expect([status, body.data.name]).toEqual([200, 'Umbrella'])
    expect(await importNaming('UMBRELLA', 'Hooli')).toEqual(['Globex', 'Initech', 'Hooli'])
    expect(listAudit()).toMatchObject([{ action: 'competitor.ignore', subject: id }])
    expect((await post(ofSite(`/competitors/${id}/ignore`))).status).toBe(404)
  })

  test('of a name that was ignored can be added by hand, and are found again once removed', async () => {
    await importNaming('Umbrella')
    await post(ofSite(`/competitors/${find('Umbrella').id}/ignore`))
    const { competitors } = service.app.catalog
    competitors.add(world.site.id, { name: 'Umbrella' })
    competitors.remove(world.site.id, 'Umbrella')
    expect(await importNaming('Umbrella')).toContain('Umbrella')
  })

  test('that are merged become spellings of the other', async () => {
    await importNaming('Globex Corp', 'Umbrella')
    const [into, part] = [find('Globex'), find('Globex Corp')]
    service.app.catalog.competitors.set(world.site.id, 'Globex Corp', { domains: ['globex.example', 'globex.com'] })
    const { status, body } = await post(ofSite(`/competitors/${part.id}/merge`), { into: into.id })
    expect([status, body.data]).toMatchObject([
      200,
      { id: into.id, name: 'Globex', aliases: ['Globex Corp'], domains: ['globex.com', 'globex.example'] },
    ])
    expect(find('globex corp').id).toBe(into.id)
    expect(find('Globex').answers).toBe(1)
    expect(listAudit()).toMatchObject([
      { action: 'competitor.merge', subject: part.id, detail: { name: 'Globex Corp', into: into.id } },
    ])
  })

  test('are neither merged into themselves nor into what is not there', async () => {
    const { id } = find('Globex')
    const own = await post(ofSite(`/competitors/${id}/merge`), { into: id })
    expect([own.status, own.body.error.message]).toEqual([
      400,
      'Globex is one competitor. Name another to merge it into.',
    ])
    for (const into of ['cmp_none', 'Initech', world.otherSite.id]) {
      expect((await post(ofSite(`/competitors/${id}/merge`), { into })).status).toBe(404)
    }
    expect((await post(ofSite('/competitors/Globex/confirm'))).status).toBe(404)
    expect(listAudit()).toEqual([])
  })
})

describe('cards', () => {
  const FINDING: CardFinding = {
    rule: 'unnamed-prompts',
    identity: 'unnamed-prompts/pricing',
    period: null,
    title: 'Publish a pricing comparison',
    why: 'Named in 4 of 62 answers.',
    detail: 'Publish one page.',
    category: 'content',
    impact: 'High',
    effort: 'medium',
    targetMetric: 'mention',
    kind: 'one_off',
    cadence: null,
    targetPrompts: [],
    targetPlatforms: ['chatgpt'],
    targetUrl: 'https://acme.com/pricing',
    foundFrom: '2026-11-01',
    foundTo: '2026-11-15',
  }
  let cardId: string
  beforeEach(() => {
    cardId = service.app.catalog.cards.create(world.site.id, FINDING).id
  })
  const listed = async () => (await get(ofSite('/actions?status=all'))).body.data[0]

  test('are marked done with the measurement before, and with a note that is kept', async () => {
    const { status, body } = await post(ofSite(`/actions/${cardId}/done`), { note: '  Published on the blog. ' })
    expect([status, body.data.status]).toEqual([200, 'done'])
    expect(body.data.outcome).toMatchObject({ verdict: null, summary: expect.any(String) })
    expect(await listed()).toEqual(body.data)
    expect((await get(ofSite('/action-notes'))).body.data).toEqual([
      { action_id: cardId, note: 'Published on the blog.', actor: member.user.mail, at: expect.any(String) },
    ])
    expect(listAudit()).toEqual([
      {
        actor: member.user.mail,
        action: 'card.done',
        subject: cardId,
        detail: { site: world.site.id, title: FINDING.title },
      },
    ])
  })

  test('are put away and opened again, which drops the note', async () => {
    expect((await post(ofSite(`/actions/${cardId}/dismiss`))).body.data.status).toBe('dismissed')
    expect((await get(ofSite('/action-notes'))).body.data).toMatchObject([{ action_id: cardId, note: null }])
    expect((await post(ofSite(`/actions/${cardId}/reopen`))).body.data).toMatchObject({ status: 'open', outcome: null })
    expect((await get(ofSite('/action-notes'))).body.data).toEqual([])
    expect(listAudit().map(({ action }) => action)).toEqual(['card.open', 'card.dismissed'])
  })

  test('that were moved already stay as they are', async () => {
    await post(ofSite(`/actions/${cardId}/dismiss`), { note: 'no' })
    for (const verb of ['done', 'dismiss']) {
      const { status, body } = await post(ofSite(`/actions/${cardId}/${verb}`), { note: 'yes' })
      expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    }
    expect((await get(ofSite('/action-notes'))).body.data).toMatchObject([{ note: 'no' }])
    expect((await post(ofSite('/actions/act_none/done'))).status).toBe(404)
    expect((await post(ofSite(`/actions/${cardId}/done`), { note: 'x'.repeat(2_001) })).status).toBe(400)
    expect(listAudit()).toHaveLength(1)
  })
})

test('prompts that are changed leave a line each time, by session or key, and none for a dry run', async () => {
  const [id = ''] = world.promptIds
  const path = ofSite('/prompts/status')
  const change = (body: object) =>
    service.send({
      method: 'PATCH',
      path: `/ui/v1${path}`,
      headers: member.headers,
      body: { prompt_ids: [id], ...body },
    })
  await change({ status: 'disabled', dry_run: true })
  await change({ status: 'disabled' })
  await change({ status: 'disabled' })
  const body = { prompts: [{ text: 'What costs less than Acme?', category: 'Pricing' }] }
  await service.send({ method: 'POST', path: `/v1${ofSite('/prompts')}`, key: world.writeKey, body })
  expect(listAudit()).toMatchObject([
    { actor: expect.stringMatching(/^key_/), action: 'prompt.create', subject: world.site.id },
    { actor: member.user.mail, action: 'prompt.disable', subject: world.site.id, detail: { prompts: [id] } },
  ])
})

test('imports and the lake are shown, of the own organization alone', async () => {
  await importNaming('Umbrella')
  expect((await get(ofSite('/imports'))).body.data).toMatchObject([
    { kind: 'import_answers', files: [expect.stringMatching(/answers\.ndjson$/)], counts: { imported: 1 } },
  ])
  const { body } = await get('/lake')
  expect(body.data.sites.map(({ domain }: { domain: string }) => domain)).toEqual(['acme.com'])
  expect(body.data.snapshot).toBe(1)
  expect(body.data.rows).toBe(
    body.data.sites[0].datasets.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0),
  )
  expect(body.data.retention).toContainEqual({ setting: 'retention_raw', period: 'keep', first_day: null })
  const other = signIn(service, {
    organizationId: service.app.catalog.sites.get(world.otherSite.id).organizationId,
    role: 'owner',
  })
  const theirs = await service.send({ path: '/ui/v1/lake', headers: other.headers })
  expect(theirs.body.data).toMatchObject({ snapshot: 0, files: 0, sites: [{ domain: 'other.example', datasets: [] }] })
})

test('the cap on prompts is told with what is used of it, of all sites of the organization', async () => {
  const before = (await get('/prompt-usage')).body.data
  expect(before).toEqual({ limit: 500, active: expect.any(Number), free: 500 - before.active })
  const texts = ['First new question', 'Second new question']
  const prompts = texts.map((text) => ({ text, category: 'Brand' }))
  expect((await post(ofSite('/prompts'), { prompts })).status).toBe(201)
  expect((await get('/prompt-usage')).body.data).toEqual({
    limit: 500,
    active: before.active + 2,
    free: before.free - 2,
  })
})
