import { expect, it } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { createSiteLookup } from '../../src/reports/site-facts.ts'
import { openTestService } from '../support/http.ts'

it('what was looked up for a site is kept until any process changes the catalog', async () => {
  const service = await openTestService()
  try {
    const { catalog } = service.app
    const { id } = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
    const lookup = createSiteLookup(catalog)
    const before = lookup.get(id)
    expect(lookup.get(id)).toBe(before)

    catalog.prompts.add(id, [{ text: 'Which is best?', category: 'Discovery' }])
    const withPrompt = lookup.get(id)
    expect(withPrompt.prompts.map(({ text }) => text)).toEqual(['Which is best?'])
    expect(lookup.get(id)).toBe(withPrompt)

    using other = openCatalog(catalog.path, { mode: 'command' })
    other.competitors.add(id, { name: 'Rival' })
    expect(lookup.get(id).competitors.map(({ name }) => name)).toEqual(['Rival'])
    expect(lookup.get(id, 0).files).toEqual([])
  } finally {
    await service.close()
  }
})
