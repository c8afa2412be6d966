import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderApiPage } from './support/api-page.ts'

const PAGE = new URL('../../docs/api.md', import.meta.url)

it('docs/api.md is what the program says and does over the demo', async () => {
  const text = await renderApiPage()
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, text)
  expect(text).toBe(readFileSync(PAGE, 'utf8'))
})
