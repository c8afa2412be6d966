import type { Catalog } from '../src/catalog/catalog.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Context } from './command.ts'

/** What a command knows of where browsers find the dashboard. */
export interface LinkSettings extends Pick<Config, 'publicUrl' | 'host' | 'port'> {
  /** `publicUrl` was given with the command itself. */
  readonly isGiven: boolean
}

/** Reads them from the flag and the settings. Throws UsageError. */
export async function readLinkSettings({
  dataDir,
  environment,
  args,
}: Pick<Context, 'dataDir' | 'environment'> & {
  readonly args: { readonly 'public-url': string | undefined }
}): Promise<LinkSettings> {
  const given = args['public-url']
  const { publicUrl, host, port } = await readConfig({ dataDir, environment, flags: { public_url: given } })
  return { publicUrl, host, port, isGiven: given !== undefined && given !== '' }
}

/** The origin that a link to the dashboard begins with. */
export interface LinkOrigin {
  readonly origin: string
  /** No server was found that shows the dashboard there. */
  readonly isGuessed: boolean
}

/**
 * The origin that was given, else where a running server shows the dashboard, else where one with the present settings would. A
 * public origin goes before this machine's own.
 */
export function findLinkOrigin(
  { servedOrigins }: Pick<Catalog, 'servedOrigins'>,
  { publicUrl, host, port, isGiven }: LinkSettings,
): LinkOrigin {
  const served = isGiven ? [] : servedOrigins.list()
  const shownToOthers = served.find((origin) => origin.startsWith('https://'))
  const known = [shownToOthers, publicUrl, served[0]].find((origin) => origin !== undefined && origin !== '')
  if (known !== undefined) return { origin: known, isGuessed: false }
  // Without TLS the dashboard is used on its own machine only, whatever else the service listens on.
  const hostname = host === '::1' ? '[::1]' : host
  return { origin: `http://${isLoopback(hostname) ? hostname : '127.0.0.1'}:${port}`, isGuessed: true }
}

/**
 * Where browsers find the dashboard of a server that listens at `url`; undefined where they can't use it: without TLS it is
 * for its own machine, on a loopback address.
 */
export function findServedOrigin(url: string, { dashboard, publicUrl }: Config): string | undefined {
  if (!dashboard) return undefined
  if (publicUrl !== '') return publicUrl
  const { hostname, origin } = new URL(url)
  if (isLoopback(hostname)) return origin
  return ['0.0.0.0', '[::]'].includes(hostname) ? origin.replace(hostname, '127.0.0.1') : undefined
}

/** Whether only this machine reaches an address, as a URL writes it. */
export function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
