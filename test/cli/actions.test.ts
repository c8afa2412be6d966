import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { makeDirectory, run, runJson } from './support/run.ts'

const FINDING = {
  rule: 'missed_page',
  identity: 'missed_page https://example.com/best',
  period: null,
  title: 'Get onto example.com/best',
  why: 'It is cited in 41 of 176 answers that do not name Acme.',
  detail: 'Ask its author to look at Acme.',
  category: 'outreach',
  impact: 'High',
  effort: 'medium',
  targetMetric: 'mention',
  kind: 'one_off',
  cadence: null,
  targetPrompts: [{ id: 'p1', text: 'best project tool?' }],
  targetPlatforms: ['chatgpt', 'perplexity'],
  targetUrl: 'https://example.com/best',
  foundFrom: '2026-10-19',
  foundTo: '2026-11-15',
} as const

test('actions show prints all of one card, for people and as the list has it in JSON', async () => {
  const dataDir = makeDirectory()
  await runJson(dataDir, 'sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--id', 'acme')
  {
    using catalog = openCatalog(join(dataDir, 'catalog.sqlite'), { mode: 'command' })
    catalog.cards.upsert('acme', [FINDING])
  }
  const site = ['--site', 'acme.com']
  const { data } = await runJson<{ data: { id: string }[] }>(dataDir, 'actions', 'list', ...site)
  const [card] = data
  expect(await runJson(dataDir, 'actions', 'show', ...site, card!.id)).toEqual(card)
  const shown = await run(['actions', 'show', ...site, card!.id, '--data-dir', dataDir], { terminal: 80 })
  expect({ ...shown, stdout: shown.stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<minute>') }).toEqual({
    status: 0,
    stderr: '',
    stdout: `ID          ${card!.id}
TITLE       Get onto example.com/best
STATUS      open
IMPACT      High
EFFORT      medium
CATEGORY    outreach
METRIC      mention
CADENCE     once
PERIOD      -
CREATED     <minute>
WHY         It is cited in 41 of 176 answers that do not name Acme.
WHAT TO DO  Ask its author to look at Acme.
ENGINES     chatgpt, perplexity
PAGE        https://example.com/best
DONE        -
RESULT DUE  -
VERDICT     -
OUTCOME     -

PROMPT  TEXT
p1      best project tool?
`,
  })
})
