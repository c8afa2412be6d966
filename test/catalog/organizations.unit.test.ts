import { describe, expect, test } from 'vitest'
import { CommandError } from '../../src/errors.ts'
import { openTestCatalog } from './support/test-catalog.ts'

describe('organizations', () => {
  test('a new one is on a live Enterprise plan with the default limits', () => {
    const { catalog } = openTestCatalog()
    const created = catalog.organizations.create({ name: ' Acme ' })
    expect(created).toEqual({
      id: expect.stringMatching(/^org_[0-9a-z]{26}$/),
      name: 'Acme',
      plan: 'enterprise',
      planStatus: 'live',
      promptLimit: 500,
      requestsPerMinute: 600,
      writesPerMinute: 20,
      createdAt: '2026-11-20T07:03:09.120Z',
      stoppedAt: null,
    })
    expect(catalog.organizations.get(created.id)).toEqual(created)
  })

  test('set changes what it is given and nothing else', () => {
    const { catalog } = openTestCatalog()
    const before = catalog.organizations.create({ name: 'Acme', promptLimit: 10 })
    const after = catalog.organizations.set(before.id, { plan: 'pro', planStatus: 'lapsed', writesPerMinute: 5 })
    expect(after).toEqual({ ...before, plan: 'pro', planStatus: 'lapsed', writesPerMinute: 5 })
    expect(catalog.organizations.list()).toEqual([after])
  })

  test('are listed in the order of creation', () => {
    const { catalog, clock } = openTestCatalog()
    const names = ['Zeta', 'Acme', 'Mid']
    for (const name of names) {
      catalog.organizations.create({ name })
      clock.nowMs += 1
    }
    expect(catalog.organizations.list().map(({ name }) => name)).toEqual(names)
  })

  test('a given id is kept, and refused when it is taken or malformed', () => {
    const { catalog } = openTestCatalog()
    const create = (id: string) => catalog.organizations.create({ id, name: 'Acme' })
    expect(create('Team-7._x').id).toBe('Team-7._x')
    expect(() => create('Team-7._x')).toThrow('The id "Team-7._x" is taken by another organization.')
    for (const id of ['', 'a b', 'ä', 'x'.repeat(65), 'a/b']) expect(() => create(id)).toThrow(CommandError)
    expect(catalog.organizations.list()).toHaveLength(1)
  })

  test.each([
    [{ promptLimit: -1 }, 'The prompt limit must be a whole number of at least 0.'],
    [{ promptLimit: 1.5 }, 'The prompt limit must be a whole number of at least 0.'],
    [{ requestsPerMinute: 0 }, 'The limit of requests per minute must be a whole number of at least 1.'],
    [{ writesPerMinute: Number.NaN }, 'The limit of writes per minute must be a whole number of at least 1.'],
    [{ name: '  ' }, 'A name cannot be empty.'],
    [{ name: 'x'.repeat(201) }, 'A name has at most 200 characters; this one has 201.'],
  ])('refuses %j', (change, message) => {
    const { catalog } = openTestCatalog()
    const before = catalog.organizations.create({ name: 'Acme' })
    expect(() => catalog.organizations.set(before.id, change)).toThrow(new CommandError(message))
    expect(catalog.organizations.list()).toEqual([before])
  })

  test('an unknown id is refused with what to do', () => {
    const { catalog } = openTestCatalog()
    expect(catalog.organizations.find('org_x')).toBeUndefined()
    expect(() => catalog.organizations.get('org_x')).toThrow('There is no organization "org_x". `answerlake orgs list`')
    expect(() => catalog.organizations.set('org_x', {})).toThrow('There is no organization "org_x".')
  })
})
