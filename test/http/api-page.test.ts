import { it } from 'vitest'
import { expectGolden } from '../support/golden.ts'
import { renderApiPage } from './support/api-page.ts'

it('docs/api.md is what the program says and does over the demo', async () => {
  expectGolden('docs/api.md', await renderApiPage())
})
