import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { planScan } from '../src/collect/plan.ts'
import { getProvider } from '../src/collect/providers/index.ts'
import { parseScanConfig } from '../src/collect/scan-config.ts'
import { resolveTargets, toPace } from '../src/collect/targets.ts'
import { ENGINE_IDS } from '../src/domain/enums.ts'
import { secretEnvironment } from './collect/engines/secrets.ts'
import { Engines } from './collect/engines/server.ts'
import { expectGolden } from './support/golden.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = 'docs/collecting.md'
const page = readFileSync(join(ROOT, PAGE), 'utf8')

/** The fenced blocks of a section, each with its language. */
function listBlocks(title: string): { language: string; text: string }[] {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))
}

test('the way from a key to the first report is what happens (the engines are a server of this machine)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-collecting-'))
  await using engines = await Engines.start()
  try {
    const blocks = listBlocks('From an API key to the first report')
    expect(blocks.map(({ language }) => language)).toEqual(['sh', 'csv', 'json', 'sh', 'text', 'sh', 'text'])
    const [setUp, prompts, config, look, looked, ask, asked] = blocks.map(({ text }) => text) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    writeFileSync(join(directory, 'prompts.csv'), prompts)
    mkdirSync(join(directory, 'answerlake-data'), { mode: 0o700 })
    const providers = Object.fromEntries(
      ['openai', 'perplexity', 'searchapi'].map((id) => [id, { base_url: `${engines.url}/${id}` }]),
    )
    writeFileSync(
      join(directory, 'answerlake-data/scan.json'),
      JSON.stringify({ ...(JSON.parse(config) as object), providers }),
    )
    const shell = async (commands: string): Promise<string> => {
      const here = commands
        .replaceAll('npx answerlake', `'${process.execPath}' '${join(ROOT, 'bin/answerlake.js')}'`)
        .replace(/^export .*\n/m, '')
      const { stdout } = await promisify(execFile)('bash', ['-ec', here], {
        cwd: directory,
        env: { PATH: process.env['PATH'], ANSWERLAKE_SYSTEM_FILE: '', ...secretEnvironment() },
        timeout: 60_000,
      })
      return stdout.replaceAll('\r\n', '\n')
    }
    await shell(setUp)
    const outputs = [await shell(look), await shell(ask)]
    expect(engines.ledger.entries.filter(({ bought }) => bought)).toHaveLength(9)
    expectGolden(
      PAGE,
      page
        .replace(`\`\`\`text\n${looked}`, () => `\`\`\`text\n${outputs[0]}`)
        .replace(
          `report:\n\n\`\`\`sh\n${ask}\`\`\`\n\n\`\`\`text\n${asked}`,
          () => `report:\n\n\`\`\`sh\n${ask}\`\`\`\n\n\`\`\`text\n${outputs[1]}`,
        ),
    )
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

test('its table of costs is that of the price catalogue', () => {
  const config = parseScanConfig(
    { targets: ['chatgpt=openai', 'perplexity=perplexity', 'gemini=gemini', 'ai_overviews=searchapi'] },
    'scan.json',
  )
  const plan = planScan({
    site: { id: 'acme', market: null, platforms: ENGINE_IDS },
    prompts: Array.from({ length: 50 }, (_, index) => ({
      id: `p${index}`,
      promptNo: index + 1,
      text: 'What is the best project management tool for small teams?',
      market: null,
    })),
    targets: resolveTargets(config),
    samples: 1,
    day: '2026-11-22',
    seed: 1,
    getProvider,
    toPace: (id) => toPace(config, getProvider(id)),
    findMarket: () => undefined,
  })
  const toRange = (low: number, high: number, digits: number): string => {
    const [from, to] = [low, high].map((micros) => (micros / 1_000_000).toFixed(digits))
    return from === to ? String(from) : `${from} to ${to}`
  }
  const rows = plan.byTarget.map(({ target, calls, costLowMicros: low, costHighMicros: high }) => [
    `\`${target.engine}=${target.provider}${target.model === undefined ? '' : `:${target.model}`}\``,
    toRange(low / calls, high / calls, 4),
    String(calls),
    toRange(low, high, 2),
    toRange(30 * low, 30 * high, 0),
  ])
  const total = [
    'together',
    '',
    String(plan.calls.length),
    toRange(plan.costLowMicros, plan.costHighMicros, 2),
    toRange(30 * plan.costLowMicros, 30 * plan.costHighMicros, 0),
  ]
  const table = [...rows, total].map((row) => `| ${row.join(' | ')} |\n`).join('')
  expectGolden(
    PAGE,
    readFileSync(join(ROOT, PAGE), 'utf8').replace(
      /(\| target \| USD a call .*\n\| --- .*\n)(?:\|.*\n)*/,
      (_, head: string) => head + table,
    ),
  )
})

test('each scan.json that it shows can be used', () => {
  const files = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text) as unknown)
  expect(files.length).toBe(4)
  for (const file of files) expect(resolveTargets(parseScanConfig(file, PAGE)).length).toBeGreaterThan(0)
})
