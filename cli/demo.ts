import type { App } from '../src/app.ts'
import type { Site } from '../src/domain/site.ts'
import { getBundledDir } from './bundled-dir.ts'
import { defineCommand, JSON_FLAG, type Context } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'
import { pickSettings, SETTING_FLAGS } from './setting-flags.ts'
import { withApp } from './with-app.ts'

export const demo = defineCommand({
  summary: 'Fill an empty directory with made-up data, make two keys and serve',
  notes: [
    'Imports the bundled answers and access log as `import` does, makes one read and one write key, prints both with three curl lines to try, and serves until SIGTERM or SIGINT. Called again on the same directory it imports nothing twice and makes two new keys. Other commands find its data with --data-dir answerlake-demo.',
  ],
  defaultDataDir: './answerlake-demo',
  args: { ...SETTING_FLAGS, ...JSON_FLAG },
  examples: ['demo', 'demo --port 0 --data-dir /tmp/answerlake-demo'],
  run: (context) =>
    withApp(
      context,
      async (app) => {
        const { fillDemo } = await import('./demo-inputs.ts')
        const site = await fillDemo(app, getBundledDir('demo'), context)
        const keys = { read: makeKey(app, site, 'read'), write: makeKey(app, site, 'write') }
        await serveUntilStopped(app, context, { onListening: (url) => printWelcome(context, { url, site, keys }) })
      },
      { create: true, mode: 'server', flags: pickSettings(context.args) },
    ),
})

interface Welcome {
  readonly url: string
  readonly site: Site
  readonly keys: { readonly read: DemoKey; readonly write: DemoKey }
}

type DemoKey = ReturnType<typeof makeKey>

function makeKey({ catalog }: App, site: Site, permission: 'read' | 'write') {
  const { key, value } = catalog.keys.create({
    name: `demo ${permission}`,
    expiresInDays: 30,
    permission,
    organizationId: site.organizationId,
    creator: 'demo',
  })
  return { id: key.id, name: key.name, permission, expires_at: key.expiresAt, key: value }
}

function printWelcome({ io, args }: Pick<Context, 'io'> & { args: { json: boolean } }, welcome: Welcome): void {
  const { url, site, keys } = welcome
  const curl = toCurlLines(welcome)
  if (args.json) return printJson(io, { url, site_id: site.id, keys: [keys.read, keys.write], curl })
  printLine(io, `read key:  ${keys.read.key}`)
  printLine(io, `write key: ${keys.write.key}`)
  for (const line of ['', 'Try, in another terminal:', ...curl]) {
    printLine(io, line)
    if (line !== '') printLine(io, '')
  }
  printNote(io, 'Stop with Ctrl-C.')
}

/** The demo's answers end on 2026-11-15; the lines ask for its last 28 days. */
function toCurlLines({ url, site, keys }: Welcome): readonly string[] {
  const header = `-H 'X-API-Key: ${keys.read.key}'`
  const report = (name: string, question: object): string => {
    const body = JSON.stringify({ site_id: site.id, start_date: '2026-10-19', end_date: '2026-11-15', ...question })
    return `curl -s ${header} -H 'Content-Type: application/json' -d '${body}' ${url}/v1/reports/${name}`
  }
  return [
    `curl -s ${header} ${url}/v1/sites`,
    report('visibility', { brands: 'all' }),
    report('citations', { metrics: ['answers', 'citation_share'], limit: 10 }),
  ]
}
