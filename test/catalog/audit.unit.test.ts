import { expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

test('entries are listed newest first, by organization and in pages', () => {
  const { catalog, clock } = openTestCatalog()
  const acme = catalog.organizations.create({ name: 'Acme' }).id
  const bolt = catalog.organizations.create({ name: 'Bolt' }).id
  const { audit } = catalog
  audit.record({
    organizationId: acme,
    actor: 'ana@acme.com',
    action: 'key.create',
    subject: 'key_1',
    detail: { n: 1 },
  })
  audit.record({ organizationId: bolt, actor: 'ben@bolt.com', action: 'key.create', subject: 'key_2' })
  clock.nowMs += 1
  audit.record({ organizationId: acme, action: 'key.revoke', subject: 'key_1' })
  audit.record({ organizationId: null, action: 'operator_key.create', subject: 'key_3' })
  const subjects = (query: Parameters<typeof audit.list>[0]) => audit.list(query).map(({ subject }) => subject)
  expect(audit.list({ organizationId: acme, limit: 10 })).toEqual([
    {
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      at: '2026-11-20T07:03:09.121Z',
      organizationId: acme,
      actor: 'operator',
      action: 'key.revoke',
      subject: 'key_1',
      detail: {},
    },
    expect.objectContaining({ at: '2026-11-20T07:03:09.120Z', actor: 'ana@acme.com', detail: { n: 1 } }),
  ])
  expect(subjects({ limit: 10 })).toEqual(['key_3', 'key_1', 'key_2', 'key_1'])
  const [first] = audit.list({ organizationId: acme, limit: 1 })
  expect(subjects({ organizationId: acme, before: first?.id, limit: 10 })).toEqual(['key_1'])
  const [ofBolt] = audit.list({ organizationId: bolt, limit: 1 })
  expect(subjects({ organizationId: acme, before: ofBolt?.id, limit: 10 })).toEqual([])
  expect(subjects({ organizationId: acme, before: 'aud_x', limit: 10 })).toEqual([])
})

test('an entry is kept with its change, or not at all', () => {
  const { catalog } = openTestCatalog()
  const { id } = catalog.organizations.create({ name: 'Acme' })
  const change = () =>
    catalog.transaction(() => {
      catalog.audit.record({ organizationId: id, action: 'key.revoke', subject: 'key_x' })
      catalog.keys.revoke('key_x')
    })
  expect(change).toThrow('There is no key "key_x".')
  expect(catalog.audit.list({ limit: 10 })).toEqual([])
})
