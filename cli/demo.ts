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
    'Imports the bundled answers and access log as `import` does, makes one read and one write key, prints both with three curl lines to try and, last, a link that opens the dashboard, and serves until SIGTERM or SIGINT. The link signs in once; that account has no password. Called again on the same directory it imports nothing twice and makes two new keys and a new link. Other commands find its data with --data-dir answerlake-demo.',
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
        await serveUntilStopped(app, context, {
          onListening: (url) => printWelcome(context, { url, site, keys, link: makeLink(app, site, url) }),
        })
      },
      { create: true, mode: 'server', flags: pickSettings(context.args) },
    ),
})

interface Welcome {
  readonly url: string
  readonly site: Site
  readonly keys: { readonly read: DemoKey; readonly write: DemoKey }
  /** Signs in to the dashboard at once; undefined without a dashboard. */
  readonly link: string | undefined
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

/** A link for the demo's owner, who has no password: made anew with each start. */
function makeLink({ catalog, config }: App, site: Site, url: string): string | undefined {
  if (!config.dashboard) return undefined
  const { organizationId } = site
  const { secret } = catalog.transaction(() => {
    const known = catalog.users.findByMail(DEMO_MAIL)
    const given = { organizationId, mail: DEMO_MAIL, role: 'owner', inviter: 'demo' } as const
    const owner = known?.organizationId === organizationId ? known : catalog.users.invite(given).user
    return catalog.users.createLink(owner.id)
  })
  return `${config.publicUrl || url}/sign-in#${secret}`
}

const DEMO_MAIL = 'owner@demo.example'

function printWelcome({ io, args }: Pick<Context, 'io'> & { args: { json: boolean } }, welcome: Welcome): void {
  const { url, site, keys, link } = welcome
  const curl = toCurlLines(welcome)
  if (args.json)
    return printJson(io, { url, site_id: site.id, keys: [keys.read, keys.write], curl, sign_in_url: link ?? null })
  printLine(io, `read key:  ${keys.read.key}`)
  printLine(io, `write key: ${keys.write.key}`)
  for (const line of ['', 'Try, in another terminal:', ...curl]) {
    printLine(io, line)
    if (line !== '') printLine(io, '')
  }
  printNote(io, 'Stop with Ctrl-C.')
  if (link === undefined) return
  printNote(io, 'The dashboard, signed in; the link works once, a new start prints another:')
  printLine(io, link)
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
