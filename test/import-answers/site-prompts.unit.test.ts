import { expect, it } from 'vitest'
import type { AnswerRecord } from '../../src/domain/answer.ts'
import { openSitePrompts } from '../../src/import-answers/site-prompts.ts'
import { openTestCatalog } from '../catalog/support/test-catalog.ts'

const toRecord = (fields: Partial<AnswerRecord>): AnswerRecord => ({ text: 'Acme.', citations: [], ...fields })

it('whatever prompts it takes in, the commit can create; what it could not is a reason to reject the record', () => {
  const { catalog } = openTestCatalog()
  const site = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
  const other = catalog.sites.create({ name: 'Other', domain: 'other.example' })
  catalog.prompts.add(other.id, [{ id: 'theirs', text: 'a question', category: 'Brand' }])
  const prompts = openSitePrompts(catalog, site, { create: true, dryRun: false })
  const find = (fields: Partial<AnswerRecord>): string => {
    const found = prompts.find(toRecord(fields))
    return 'reason' in found ? found.reason : `prompt ${found.promptNo}`
  }
  expect([
    find({ prompt: 'a question', prompt_id: 'theirs' }),
    find({ prompt: 'a question', prompt_id: 'not an id' }),
    find({ prompt: 'x'.repeat(4_001) }),
    find({ prompt: 'a question', market: 'x'.repeat(201) }),
    find({ prompt: 'a question', category: 'Recipes' }),
    find({ prompt: ` ${'x'.repeat(4_000)} ` }),
    find({ prompt: 'a question', market: ` ${'x'.repeat(200)} `, prompt_id: 'ours', category: 'Pricing' }),
    find({ prompt: 'a question' }),
    find({ prompt_id: 'ours' }),
  ]).toEqual([
    'prompt_id: "theirs" is the id of another site\'s prompt. Use another.',
    'prompt_id: "not an id" can\'t become a prompt\'s id. Use 1 to 64 of A-Z a-z 0-9 . _ -',
    'prompt: it has 4001 characters; a prompt has at most 4000. Shorten it.',
    'market: it has over 200 characters. Shorten it or leave it out.',
    'category: "Recipes" is none of Discovery, Comparison, Alternatives, How-to, Pricing, Brand. Correct it or leave it out.',
    'prompt 1',
    'prompt 2',
    'prompt 2',
    'prompt 2',
  ])
  expect(
    catalog.prompts.createReserved(site.id, prompts.created).map(({ promptNo, market }) => [promptNo, market]),
  ).toEqual([
    [1, null],
    [2, 'x'.repeat(200)],
  ])
})
