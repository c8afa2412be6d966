import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openApp } from '../../../../src/app.ts'
import { parseConfig } from '../../../../src/config.ts'
import { startServer } from '../../../../src/http/server.ts'
import { CLIENT, startProvider } from '../../../sign-in/support/openid-provider.ts'

const ACCOUNTS = {
  ana: { email: 'ana@acme.com', email_verified: true, groups: ['owners'] },
  ben: { email: 'ben@acme.com', email_verified: true, groups: [] },
  eve: { email: 'eve@evil.example', email_verified: true, groups: ['owners'] },
}

/** A service that lets a provider of this machine, `127.0.0.1`, vouch for users. Both end with the test. */
export async function openVouchedService(ownerGroup?: string) {
  const issuer = await startProvider(ACCOUNTS)
  const dataDir = mkdtempSync(join(tmpdir(), 'answerlake-oidc-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = parseConfig({ dataDir, environment: {} }, {}, '')
  const environment = { ANSWERLAKE_SECRET_OIDC: CLIENT.clientSecret }
  const app = await openApp(config, { mode: 'server', create: true, environment })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const { id: organizationId } = app.catalog.organizations.create({ name: 'Acme' })
  const oidc = {
    name: 'Acme',
    issuer,
    client_id: CLIENT.clientId,
    organization: organizationId,
    allowed_domains: ['acme.com'],
    ...(ownerGroup === undefined ? {} : { owner_group: ownerGroup, scopes: ['groups'] }),
  }
  writeFileSync(join(dataDir, 'sign-in.json'), JSON.stringify({ oidc }))
  const log: string[] = []
  const server = await startServer(app, {
    host: '127.0.0.1',
    port: 0,
    log: { write: (line) => log.push(line) },
    connections: config.connections,
    connectionsPerAddress: config.connectionsPerAddress,
  })
  onTestFinished(() => server.close())
  return { app, organizationId, issuer, url: server.url, log }
}
