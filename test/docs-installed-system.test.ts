import { spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { parseConfig } from '../src/config.ts'
import { readProviderConfig } from '../src/sign-in/provider-config.ts'
import { openPrivateMachine, type PrivateMachine } from './support/private-machine.ts'

const ROOT = resolve(import.meta.dirname, '..')
const RELEASED = `answerlake-${packageJson.version}-linux-x64`
const EXECUTABLE = process.env['ANSWERLAKE_EXE']

interface Block {
  readonly language: string
  readonly text: string
}

function readBlocks(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))
}

const install = readBlocks('docs/install.md')
const operating = readBlocks('docs/operating.md')
const findBlock = (blocks: readonly Block[], part: string): string => {
  const found = blocks.filter(({ text }) => text.includes(part))
  expect(found.length, part).toBe(1)
  return found[0]!.text
}

/** What stands for the executable where none was built: the checkout, run by the Node that runs this. */
const LAUNCHER = '#!/bin/sh\nexec /opt/node /opt/checkout/bin/answerlake.js "$@"\n'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const UNTRIED = [
  'systemctl (its verbs are done by the lines of the unit)',
  'npm install --global (test/package.test.ts installs the package)',
  'the ranges of `bots update` from the internet (those of the demo are taken)',
  ...(EXECUTABLE === undefined ? ['the executable (the checkout stands for it; npm run test:exe)'] : []),
  ...(hasSystemd ? [] : ['systemd-analyze verify (not installed)']),
]

let machine: PrivateMachine
let reason: string | undefined
let dir: string
let server: ChildProcess | undefined
let key: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'answerlake-installed-'))
  writeFileSync(join(dir, RELEASED), LAUNCHER)
  const opened = await openPrivateMachine({
    [ROOT]: '/opt/checkout',
    [process.execPath]: '/opt/node',
    [EXECUTABLE === undefined ? join(dir, RELEASED) : resolve(EXECUTABLE)]: `/root/${RELEASED}`,
  })
  if (typeof opened === 'string') reason = `the blocks of install.md and operating.md were not run: ${opened}`
  else {
    machine = opened
    // What an installation on this machine shows through.
    machine.run(
      'userdel answerlake || true; rm -rf $(find /etc /usr/local /var -xdev -maxdepth 4 -name "*answerlake*")',
    )
  }
  console.warn(reason ?? `not tried of install.md and operating.md: ${UNTRIED.join('; ')}`)
})

afterAll(async () => {
  if (reason === undefined) await machine.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Runs a script that must succeed and gives its standard output. */
function run(script: string): string {
  const { status, stdout, stderr } = machine.run(script)
  expect({ script, status, stderr }).toEqual({ script, status: 0, stderr: expect.any(String) })
  return stdout
}

/** Runs a printed block as root; `systemctl` is left to this file. */
async function runBlock(text: string): Promise<string> {
  let output = ''
  for (const part of text.split(/^(systemctl .*)$/m)) {
    if (/^systemctl (enable --now|start) /.test(part)) await startService()
    else if (/^systemctl (disable --now|stop) /.test(part)) await stopService()
    else if (!part.startsWith('systemctl daemon-reload')) output += run(part)
  }
  return output
}

/** As systemd does: the unit's command, as its user. */
async function startService(): Promise<void> {
  const unit = run('cat /etc/systemd/system/answerlake.service')
  const [, user] = /^User=(.+)$/m.exec(unit)!
  const [, command] = /^ExecStart=(.+)$/m.exec(unit)!
  const account = `--reuid=${user} --regid=${user} --init-groups`
  server = machine.start(`cd /\necho $$ >/run/answerlake.pid\nexec setpriv ${account} env -i ${command}`)
  const lines = createInterface({ input: server.stderr! })
  const told: string[] = []
  for await (const line of lines) {
    told.push(line)
    if (line.startsWith('listening on ')) break
  }
  server.stderr!.resume()
  expect(told.at(-1)).toBe('listening on http://127.0.0.1:8080')
}

async function stopService(): Promise<void> {
  const closed = once(server!, 'close')
  run('kill -TERM $(cat /run/answerlake.pid)')
  expect(await closed).toEqual([0, null])
  server = undefined
}

function get(path: string): { readonly status: number; readonly body: string } {
  const script = `const r = await fetch('http://127.0.0.1:8080${path}', { headers: { 'x-api-key': process.argv[1] } })
console.log(JSON.stringify({ status: r.status, body: await r.text() }))`
  return JSON.parse(run(`/opt/node --input-type=module -e "${script}" '${key}'`)) as ReturnType<typeof get>
}

/** Runs the lines of a file of /etc/cron.d as cron does: as their user, in its home, with little of an environment. */
function runCronLines(text: string): void {
  const settings: string[] = ['PATH=/usr/bin:/bin', 'SHELL=/bin/sh']
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, user, command] = /^(?:[-\d*/,]+ ){5}(\S+) (.+)$/.exec(line) ?? []
    if (user === undefined || command === undefined) {
      expect(line).toMatch(/^[A-Z]+=\S+$/)
      settings.push(line)
      continue
    }
    const offline = command.endsWith(' bots update') ? `${command} --from /opt/checkout/data/demo/ranges` : command
    writeCommand(offline)
    run(`home=$(getent passwd ${user} | cut -d: -f6)
cd "$home"
runuser -u ${user} -- env -i HOME="$home" LOGNAME=${user} ${settings.join(' ')} /bin/sh /tmp/cron-line`)
  }
}

/** Through a file: a command may hold quotes of any kind. */
function writeCommand(command: string): void {
  run(`cat >/tmp/cron-line <<'END'\n${command}\nEND\nchmod 644 /tmp/cron-line`)
}

describe('an installed system, set up by the blocks of install.md and operating.md', { timeout: 240_000 }, () => {
  beforeEach(({ skip }) => skip(reason !== undefined, reason))

  test('each block is run here, but for the one of the proxy (docs-nginx.test.ts)', () => {
    expect(install.map(({ language }) => language)).toEqual(['sh', 'sh', 'sh', 'sh', 'ini', 'sh', 'sh', 'sh', 'sh'])
    expect(operating.map(({ language }) => language)).toEqual(['nginx', 'sh', 'json', 'cron', 'json'])
    expect(findBlock(install, 'npm ')).toBe(
      `npm install --global --ignore-scripts answerlake-${packageJson.version}.tgz\n`,
    )
  })

  test("config.json's settings are some", () => {
    const settings = JSON.parse(findBlock(operating, 'retention_raw')) as Record<string, string>
    const config = parseConfig({ dataDir: '/data', environment: {} }, settings, 'config.json')
    expect(config.retentionRaw).toEqual(
      parseConfig({ dataDir: '/data', environment: { ANSWERLAKE_RETENTION_RAW: '12mo' } }, {}, 'config.json')
        .retentionRaw,
    )
  })

  test("the dashboard's address and sign-in.json are taken as they are printed", async () => {
    const command = findBlock(operating, '--public-url').trim()
    writeFileSync(join(dir, 'sign-in.json'), findBlock(operating, '"oidc"'))
    const environment = { ANSWERLAKE_SECRET_OIDC: 'a secret of the tests' }
    const flags = { public_url: command.replace('answerlake serve --public-url ', '') }
    expect(parseConfig({ dataDir: dir, environment: {}, flags }, {}, '').publicUrl).toBe(flags.public_url)
    expect(await readProviderConfig(dir, environment)).toMatchObject({ name: 'Acme', ownerGroup: 'answerlake-owners' })
  })

  test('the file is checked and installed', async () => {
    run(`sha256sum ${RELEASED} >SHA256SUMS; echo "$(printf %064d 0)  another-file" >>SHA256SUMS`)
    expect(await runBlock(findBlock(install, 'sha256sum'))).toMatch(
      new RegExp(`^${RELEASED}: OK\nanswerlake ${packageJson.version}`),
    )
  })

  test('user, directories, site and key are made, all of them in the one data directory', async () => {
    await runBlock(findBlock(install, 'useradd'))
    const output = await runBlock(findBlock(install, 'sites create'))
    key = /^alk_\w{40}$/m.exec(output)![0]
    expect(run('stat -c "%U %a" /var/lib/answerlake /var/lib/answerlake/catalog.sqlite')).toBe(
      'answerlake 700\nanswerlake 600\n',
    )
    expect(run('ls /root')).toBe(`SHA256SUMS\n${RELEASED}\n`)
    if (EXECUTABLE !== undefined) expect(run('ls /var/cache/answerlake')).not.toBe('')
  })

  test('systemd finds nothing to say about the unit', ({ skip }) => {
    const unit = findBlock(install, '[Unit]')
    const [, path] = /^# (\/etc\/systemd\/system\/\S+)\n/.exec(unit)!
    run(`cat >${path} <<'END'\n${unit}END`)
    skip(!hasSystemd, 'needs systemd-analyze')
    const { status, stdout, stderr } = machine.run(`systemd-analyze verify ${path}`)
    expect({ status, told: `${stdout}${stderr}` }).toEqual({ status: 0, told: '' })
  })

  test('the service starts and answers the key', async () => {
    expect(await runBlock(findBlock(install, 'systemctl enable'))).toContain('sound')
    expect(get('/readyz').status).toBe(200)
    expect(get('/v1/sites')).toMatchObject({ status: 200, body: expect.stringContaining('"acme.com"') })
  })

  test('the cron lines import as the user, beside the server, each record once', async () => {
    const now = new Date(Date.now() - 86_400_000).toISOString()
    const answer = { date: now.slice(0, 10), platform: 'chatgpt', prompt_id: 'p1', text: 'Acme is one of them.' }
    const logged = `203.0.113.7 - - [${now.slice(8, 10)}/${toMonth(now)}/${now.slice(0, 4)}:06:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.2"`
    run(`runuser -u answerlake -- answerlake prompts add --site acme.com --id p1 --text 'best tools' --category Discovery
install -d /data/answers /var/log/nginx
echo '${JSON.stringify(answer)}' | gzip >/data/answers/a.ndjson.gz
echo '${logged}' >/var/log/nginx/access.log.1
echo '${logged.replace(':06:', ':07:')}' >/var/log/nginx/access.log
chown root:adm /var/log/nginx/access.log*
chmod 640 /var/log/nginx/access.log*`)
    const cron = findBlock(operating, '/etc/cron.d/')
    const count = () => JSON.parse(run('runuser -u answerlake -- answerlake lake status --json')) as unknown
    runCronLines(cron)
    const imported = count()
    expect(imported).toMatchObject({
      sites: [
        {
          datasets: expect.arrayContaining([
            expect.objectContaining({ dataset: 'answers', rows: 1 }),
            expect.objectContaining({ dataset: 'bot_hits', rows: 2 }),
          ]),
        },
      ],
    })
    runCronLines(cron)
    expect(count()).toEqual(imported)
  })

  test('a backup goes back into the place of a newer directory', async () => {
    await runBlock(findBlock(install, 'answerlake backup'))
    await runBlock(findBlock(install, 'answerlake restore'))
    expect(get('/v1/sites')).toMatchObject({ status: 200, body: expect.stringContaining('"acme.com"') })
    expect(run('stat -c %U /var/lib/answerlake/catalog.sqlite')).toBe('answerlake\n')
  })

  test('nothing is left after its removal but the backups and what was moved aside', async () => {
    await runBlock(findBlock(install, 'userdel'))
    expect(listTraces()).toEqual(['/var/lib/answerlake.newer'])
    expect(machine.run('getent passwd answerlake').status).toBe(2)
  })
})

/** Whatever bears the program's name in the places that the pages write to. */
function listTraces(): string[] {
  const found = run(
    "find /etc /usr/local /var/lib /var/cache /var/tmp /run /root -xdev -maxdepth 4 -name '*answerlake*' -prune",
  )
  return found.split('\n').filter((path) => !['', '/run/answerlake.pid', `/root/${RELEASED}`].includes(path))
}

function toMonth(timestamp: string): string {
  return new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(new Date(timestamp))
}
