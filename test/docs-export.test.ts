import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { type DemoService, openDemoService } from './http/support/demo-service.ts'
import { expectGolden } from './support/golden.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = 'docs/export.md'
/** A program with what it prints in the block behind it. */
const EXAMPLE = /```(sh|python)\n(.*?)```\n\n```(csv|json|text)\n(.*?)```\n/gs

let service: DemoService
beforeAll(async () => {
  service = await openDemoService()
}, 120_000)
afterAll(() => service.close())

const hasPrograms = ['bash', 'curl', 'python3'].every((name) => spawnSync(name, ['--version']).status === 0)

it.skipIf(!hasPrograms)(
  'docs/export.md shows what its examples print (needs bash, curl and python3)',
  async () => {
    let page = readFileSync(join(ROOT, PAGE), 'utf8')
    const examples = [...page.matchAll(EXAMPLE)]
    expect(examples.length).toBe(6)
    for (const [whole, language = '', program = '', kind = ''] of examples) {
      const output = await run(language, program)
      page = page.replace(whole, () => `\`\`\`${language}\n${program}\`\`\`\n\n\`\`\`${kind}\n${output}\`\`\`\n`)
    }
    expectGolden(PAGE, page)
  },
  120_000,
)

/** Only where the service listens, and where its data are, is another. */
async function run(language: string, program: string): Promise<string> {
  const here = program
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('npx answerlake', `'${process.execPath}' '${join(ROOT, 'bin/answerlake.js')}'`)
    .replaceAll('answerlake-demo', `'${service.dataDir}'`)
  const [name, flag] = language === 'sh' ? (['bash', '-c'] as const) : (['python3', '-c'] as const)
  const env = { ...process.env, KEY: service.key }
  const { stdout } = await promisify(execFile)(name, [flag, here], { env, timeout: 60_000 })
  return stdout.replaceAll('\r\n', '\n')
}
