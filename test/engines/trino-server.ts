import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPort } from './free-port.ts'

export interface TrinoServer {
  readonly url: string
  close(): Promise<void>
}

const STARTING_MS_MAX = 300_000

/**
 * A coordinator and a worker, two processes of 1 GB each, over the catalog. ENGINE_TRINO is the unpacked directory of
 * io.trino:trino-server:tar.gz, JAVA_HOME a Java that its version takes.
 */
export async function startTrino({ catalog, token }: { catalog: string; token: string }): Promise<TrinoServer> {
  const home = process.env['ENGINE_TRINO']
  if (home === undefined) throw new Error('ENGINE_TRINO must name the directory of trino-server')
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-trino-'))
  const write = (name: string, settings: Readonly<Record<string, string | number | boolean>>): string => {
    const path = join(dir, name)
    writeFileSync(
      path,
      Object.entries(settings)
        .map(([setting, value]) => `${setting}=${value}\n`)
        .join(''),
    )
    return path
  }
  for (const name of ['catalog', 'plugin']) mkdirSync(join(dir, name))
  symlinkSync(join(home, 'plugin/iceberg'), join(dir, 'plugin/iceberg'))
  write('catalog/al.properties', {
    'connector.name': 'iceberg',
    'iceberg.catalog.type': 'rest',
    'iceberg.rest-catalog.uri': catalog,
    'iceberg.rest-catalog.security': 'OAUTH2',
    'iceberg.rest-catalog.oauth2.token': token,
    'fs.hadoop.enabled': true,
  })
  const [port, workerPort] = [await findPort(), await findPort()]
  const url = `http://127.0.0.1:${port}`
  const start = (name: string, isCoordinator: boolean): ChildProcess => {
    const config = write(`${name}.properties`, {
      coordinator: isCoordinator,
      ...(isCoordinator ? { 'node-scheduler.include-coordinator': false } : {}),
      'http-server.http.port': isCoordinator ? port : workerPort,
      'discovery.uri': url,
      'node.internal-address': '127.0.0.1',
      'plugin.dir': join(dir, 'plugin'),
      'catalog.config-dir': join(dir, 'catalog'),
      'query.max-memory-per-node': '512MB',
    })
    const settings = {
      'node.environment': 'test',
      'node.id': name,
      'node.data-dir': join(dir, name),
      config,
    }
    const properties = Object.entries(settings).map(([setting, value]) => `-D${setting}=${value}`)
    const java = join(process.env['JAVA_HOME'] ?? '/usr', 'bin/java')
    return spawn(
      java,
      ['-Xmx1G', ...JAVA_OPTIONS, ...properties, '-cp', join(home, 'lib/*'), 'io.trino.server.TrinoServer'],
      { stdio: ['ignore', 'ignore', openSync(join(dir, `${name}.log`), 'w')] },
    )
  }
  const nodes = [start('coordinator', true), start('worker', false)]
  const close = async (): Promise<void> => {
    for (const node of nodes) {
      if (node.exitCode !== null || node.signalCode !== null) continue
      node.kill('SIGKILL')
      await once(node, 'exit')
    }
    rmSync(dir, { recursive: true })
  }
  try {
    for (const startedMs = performance.now(); !(await hasWorker(url)); await pause(1_000)) {
      if (performance.now() - startedMs > STARTING_MS_MAX) throw new Error('Trino takes too long')
      if (nodes.some(({ exitCode }) => exitCode !== null)) throw new Error('Trino ended')
    }
    return { url, close }
  } catch (error) {
    const logs = ['coordinator', 'worker'].map((name) => readFileSync(join(dir, `${name}.log`), 'utf8').slice(-4_000))
    await close()
    throw new Error(`Trino did not start.\n${logs.join('\n')}`, { cause: error })
  }
}

/** What its `jvm.config` needs of Java. */
const JAVA_OPTIONS = ['--add-modules=jdk.incubator.vector', '-Djdk.attach.allowAttachSelf=true']

/** Whether a query has been answered, which takes a worker. */
async function hasWorker(url: string): Promise<boolean> {
  type Reply = { nextUri?: string; data?: [number][] }
  const headers = { 'X-Trino-User': 'test' }
  try {
    const body = "SELECT count(*) FROM system.runtime.nodes WHERE NOT coordinator AND state = 'active'"
    let reply = (await (await fetch(`${url}/v1/statement`, { method: 'POST', headers, body })).json()) as Reply
    while (reply.nextUri !== undefined && !reply.data)
      reply = (await (await fetch(reply.nextUri, { headers })).json()) as Reply
    return (reply.data?.[0]?.[0] ?? 0) > 0
  } catch {
    return false
  }
}
