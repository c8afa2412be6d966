import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSubCommands, type Command } from '../../cli/command.ts'
import { program } from '../../cli/commands.ts'
import { makeDirectory, run, runJson } from './support/run.ts'

/** What a terminal obeys: escape sequences, C1 controls, line breaks of all kinds, marks that turn the direction of writing. */
const EVIL = '\u001B[31mevil\u001B]0;title\u0007\r\n  sound: all\u009B2J\u0085\u2028\u202E\u2066\u200F\u007F\b'
const LONG = EVIL + 'x'.repeat(100_000)
const NAME = EVIL.slice(0, 60)
/** As a file may be named. */
const FILE = EVIL
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u

const RANGE = ['--from', '2026-10-01', '--to', '2026-10-31'] as const
const COMPARED = ['--compare-from', '2026-09-01', '--compare-to', '2026-09-30'] as const

interface Prepared {
  readonly dataDir: string
  readonly argvs: readonly (readonly string[])[]
}

async function prepare(): Promise<Prepared> {
  const top = makeDirectory()
  const dataDir = join(top, 'data')
  const write = (name: string, content: string): string => {
    writeFileSync(join(top, name), content)
    return join(top, name)
  }
  const site = ['--site', 'acme.com'] as const
  const json = <T>(...argv: string[]) => runJson<T>(dataDir, ...argv)
  await json('sites', 'create', '--name', NAME, '--domain', 'acme.com', '--alias', `${NAME}2`, '--market', NAME)
  const { id: keyId } = await json<{ id: string }>('keys', 'create', '--name', NAME, '--expires', '30')
  const {
    data: [org],
  } = await json<{ data: { id: string }[] }>('orgs', 'list')
  const record = { date: '2026-10-05', platform: 'chatgpt', prompt: `${NAME}?`, text: 'Acme.' }
  const answers = write(
    `${FILE}.ndjson`,
    [
      { ...record, mentions: [LONG], market: NAME, citations: [`https://acme.com/${LONG}`] },
      { ...record, text: 'Other.', prompt_id: LONG, prompt: undefined },
      { ...record, prompt: LONG },
      { ...record, id: LONG },
      { ...record, prompt: 'Another?', category: LONG },
      { ...record, platform: LONG },
      { ...record, [LONG]: 1, response: { error: { message: LONG } } },
      { ...record, date: LONG },
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('') + `${LONG}\n`,
  )
  const log = write(
    `${FILE}.log`,
    `${'1.2.3.4 - - [05/Oct/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "GPTBot"\n'.repeat(3)}${LONG}\n`,
  )
  const rules = write(`${FILE}.txt`, `/x${EVIL.replaceAll(/[\r\n\u0085\u2028 ]/g, '')} ${NAME}\n${LONG} y z\n`)
  const prompts = write(`${FILE}.csv`, `text,category,id\n"${EVIL}",${EVIL},"${EVIL}"\n"${LONG}",Discovery,\n`)
  const ranges = join(top, 'ranges')
  mkdirSync(ranges)
  writeFileSync(join(ranges, `${FILE}.json`), '{}')
  writeFileSync(join(ranges, 'GPTBot.json'), JSON.stringify({ prefixes: [{ ipv4Prefix: LONG }] }))
  const strange = join(top, 'strange')
  mkdirSync(strange)
  writeFileSync(join(strange, FILE), '')
  mkdirSync(join(dataDir, 'lake'), { recursive: true })
  await run(['import', 'answers', ...site, '--create-prompts', answers, '--data-dir', dataDir])
  writeFileSync(join(dataDir, 'lake', FILE), 'x')
  const missing = join(top, LONG.slice(0, 150), 'missing')
  writeFileSync(join(dataDir, 'scan.json'), JSON.stringify({ targets: ['chatgpt=openai'], budget: { usd_day: 1 } }))
  const misconfigured = join(top, 'misconfigured')
  mkdirSync(misconfigured)
  writeFileSync(
    join(misconfigured, 'scan.json'),
    JSON.stringify({
      [LONG]: 1,
      targets: [EVIL, { engine: EVIL, provider: LONG }],
      budget: { targets: { [NAME]: {} } },
    }),
  )
  return {
    dataDir,
    argvs: [
      ['orgs', 'create', '--name', `${NAME}3`],
      ['orgs', 'list'],
      ['orgs', 'set', org?.id ?? '', '--plan', 'enterprise'],
      ['orgs', 'set', LONG, '--plan', 'free'],
      ['orgs', 'set', LONG, '--plan', LONG],
      ['sites', 'create', '--name', LONG, '--domain', 'other.com'],
      ['sites', 'create', '--name', 'Other', '--domain', LONG],
      ['sites', 'list'],
      ['sites', 'set', 'acme.com', '--alias', `${NAME}4`],
      ['sites', 'set', LONG, '--alias', 'x'],
      ['sites', 'page-types', 'acme.com', rules],
      ['sites', 'page-types', 'acme.com', missing],
      ['sites', 'page-types', 'acme.com'],
      ['sites', 'source-kinds', 'acme.com', rules],
      ['prompts', 'add', ...site, '--text', EVIL, '--category', 'Discovery'],
      ['prompts', 'add', ...site, '--text', LONG, '--category', 'Discovery'],
      ['prompts', 'import', ...site, prompts],
      ['prompts', 'list', ...site],
      ['prompts', 'set', ...site, EVIL, '--market', NAME],
      ['prompts', 'set', ...site, LONG, '--market', 'Berlin'],
      ['prompts', 'disable', ...site, EVIL],
      ['prompts', 'enable', ...site, LONG],
      ['competitors', 'add', ...site, '--name', `${NAME}5`, '--alias', `${NAME}6`],
      ['competitors', 'add', ...site, '--name', `${NAME}5`],
      ['competitors', 'list', ...site],
      ['competitors', 'confirm', ...site, `${NAME}5`],
      ['competitors', 'unconfirm', ...site, LONG],
      ['competitors', 'set', ...site, `${NAME}5`, '--name', `${NAME}7`],
      ['competitors', 'remove', ...site, `${NAME}7`],
      ['import', 'answers', ...site, answers, answers],
      ['import', 'answers', ...site, '--strict', answers],
      ['import', 'answers', ...site, '--rejects', missing, answers],
      ['import', 'answers', ...site, missing],
      ['import', 'answers', ...site, '--date', LONG, answers],
      ['sentiment', 'import', ...site, answers],
      ['sentiment', 'judge', ...site, ...RANGE],
      ['sentiment', 'judge', '--site', LONG, ...RANGE],
      ['sentiment', 'evaluate', '--budget', '1', '--provider', 'openai', missing],
      ['sentiment', 'judge', ...site, ...RANGE, '--provider', 'openai', '--model', LONG],
      ['import', 'logs', ...site, log],
      ['import', 'logs', ...site, '--strict', '--format', 'combined', log],
      ['import', 'logs', ...site, '--log-format', LONG, log],
      ['import', 'logs', ...site, missing],
      ['import', 'list', ...site, '--all'],
      ['import', 'undo', LONG],
      ...['visibility', 'bots', 'referrals', 'citations', 'sentiment', 'answers', 'searches'].flatMap((report) => [
        ['report', report, ...site, ...RANGE],
        ['report', report, '--site', LONG, ...RANGE],
      ]),
      ['report', 'changes', ...site, ...RANGE, ...COMPARED, '--metric', 'mention_rate', '--group-by', 'prompt'],
      ['lake', 'views', ...site],
      ['lake', 'export', ...site, '--to', join(top, `${NAME}-export`)],
      ['lake', 'publish', join(top, `${NAME}-tables`)],
      ['lake', 'publish', '--status'],
      ['lake', 'retention', ...site],
      ['keys', 'create', '--name', NAME, '--expires', '30', '--org', org?.id ?? ''],
      ['keys', 'list'],
      ['keys', 'revoke', keyId],
      ['keys', 'revoke', LONG],
      ['users', 'invite', '--role', 'owner', EVIL],
      ['users', 'invite', '--role', 'owner', 'ana@acme.com', '--org', org?.id ?? ''],
      ['users', 'invite', '--role', LONG, 'ben@acme.com', '--public-url', LONG],
      ['users', 'list'],
      ['users', 'reset', 'ana@acme.com'],
      ['users', 'reset', LONG],
      ['users', 'revoke', LONG],
      ['audit'],
      ['audit', '--org', LONG],
      ['operator-keys', 'create', '--name', NAME, '--expires', '30'],
      ['operator-keys', 'list'],
      ['operator-keys', 'revoke', LONG],
      ['actions', 'refresh', ...site],
      ['actions', 'list', ...site],
      ['actions', 'list', '--site', LONG],
      ...['show', 'done', 'dismiss', 'reopen'].map((word) => ['actions', word, ...site, LONG]),
      ['scan', 'targets'],
      ['scan', 'targets', '--data-dir', misconfigured],
      ['scan', 'plan', ...site],
      ['scan', 'plan', ...site, '--prompts', LONG],
      ['scan', 'plan', '--site', LONG],
      ['scan', 'run', ...site],
      ['scan', 'run', ...site, '--prompts', 'x'.repeat(64)],
      ['scan', 'run', '--platforms', LONG],
      ['scan', 'retry', '--uncertain', ...site],
      ['scan', 'status', ...site],
      ['doctor', '--data-dir', misconfigured],
      ['lake', 'status'],
      ['lake', 'compact'],
      ['lake', 'rederive'],
      ['lake', 'gc'],
      ['lake', 'verify'],
      ['lake', 'repair', '--drop', LONG],
      ['backup', strange],
      ['backup', join(top, NAME)],
      ['restore', missing],
      ['restore', join(top, NAME), '--data-dir', join(top, 'restored')],
      ['bots', 'list'],
      ['bots', 'update', '--from', ranges],
      ['bots', 'update', '--from', missing],
      ['bots', 'forget', LONG, '--yes'],
      ['answers', 'delete', ...site, '--prompt', LONG, '--yes'],
      ['answers', 'delete', ...site, '--all', '--dry-run'],
      ['logs', 'delete', ...site, '--path', EVIL, '--dry-run'],
      ['sites', 'delete', 'acme.com', '--dry-run'],
      ['sites', 'delete', LONG, '--yes'],
      ['orgs', 'export', LONG, join(top, `${NAME}-organization`)],
      ['orgs', 'import', missing],
      ['orgs', 'resume', LONG],
      ['orgs', 'delete', org?.id ?? '', '--dry-run'],
      ['serve', '--print-config', '--host', EVIL],
      ['serve', '--port', LONG],
      ['demo', '--port', '0'],
      ['completion', LONG],
      ['openapi', LONG],
      ['version', LONG],
      ['doctor'],
      ['doctor', '--data-dir', missing],
      [LONG],
      ['sites', LONG],
      ['sites', 'list', `--${LONG}`],
    ],
  }
}

function findObeyed(text: string): string | undefined {
  const at = text.search(OBEYED)
  return at < 0 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 80), at + 40))
}

test.each([undefined, 100])(
  'no command sends a terminal (of %s columns) what a name wants it to do',
  async (columns) => {
    const { dataDir, argvs } = await prepare()
    expect(await listUnwalked(argvs)).toEqual([])
    for (const argv of argvs) {
      const given = argv.includes('--data-dir') ? argv : [...argv, '--data-dir', dataDir]
      const printed = await run(given, columns === undefined ? {} : { terminal: columns })
      // Into a pipe a report is CSV, whose cells are what is stored.
      const stdout = argv[0] === 'report' && columns === undefined ? '' : printed.stdout
      const { stderr } = printed
      const command = argv.map((word) => (word.length > 40 ? '…' : word)).join(' ')
      expect({ command, obeyed: findObeyed(stdout + stderr) }).toEqual({ command, obeyed: undefined })
      expect({ command, forged: /^ *sound: all/m.test(stdout + stderr) }).toEqual({ command, forged: false })
      // SQL has each text whole.
      if (argv[1] === 'views') continue
      const longest = Math.max(...`${stdout}${stderr}`.split('\n').map((line) => line.length))
      expect({ command, isShort: longest < 30_000 }).toEqual({ command, isShort: true })
      if (columns !== undefined) continue
      const told = await run([...given, '--json'])
      expect({ command, obeyed: findObeyed(told.stdout + told.stderr) }).toEqual({ command, obeyed: undefined })
    }
  },
  120_000,
)

/** Commands that none of the command lines is of. */
async function listUnwalked(argvs: Prepared['argvs']): Promise<string[]> {
  const leaves: string[] = []
  const visit = async (path: readonly string[], command: Command): Promise<void> => {
    if (command.subCommands === undefined) leaves.push(path.join(' '))
    for (const [word, child] of await loadSubCommands(command)) await visit([...path, word], child)
  }
  await visit([], program)
  const walked = new Set(argvs.flatMap((argv) => [argv.slice(0, 1).join(' '), argv.slice(0, 2).join(' ')]))
  return leaves.filter((leaf) => !walked.has(leaf))
}
