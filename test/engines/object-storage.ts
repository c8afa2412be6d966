import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPort } from './free-port.ts'

/** An object store of this machine with one bucket, which takes any key. */
export interface ObjectStorage {
  readonly endpoint: string
  /** Of all that is uploaded. */
  readonly location: string
  /** Uploads what is below a directory. */
  upload(directory: string): Promise<void>
  close(): Promise<void>
}

const BUCKET = 'acme-lake'
const PREFIX = 'all'
const STARTING_MS_MAX = 60_000

/** `python` has moto, a server of S3's interface. */
export async function startObjectStorage(python: string): Promise<ObjectStorage> {
  const port = await findPort()
  const endpoint = `http://127.0.0.1:${port}`
  const server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  const put = async (path: string, body?: Uint8Array<ArrayBuffer>): Promise<void> => {
    const { ok, status } = await fetch(`${endpoint}/${BUCKET}${path}`, { method: 'PUT', ...(body ? { body } : {}) })
    if (!ok) throw new Error(`${path} was answered with ${status}`)
  }
  const close = async (): Promise<void> => {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  for (const startedMs = performance.now(); ; await pause(500)) {
    const isThere = await put('').then(
      () => true,
      () => false,
    )
    if (isThere) break
    if (performance.now() - startedMs < STARTING_MS_MAX) continue
    await close()
    throw new Error('the object store did not start')
  }
  return {
    endpoint,
    location: `s3://${BUCKET}/${PREFIX}`,
    async upload(directory) {
      const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
      for (const entry of entries.filter((one) => one.isFile())) {
        const path = join(entry.parentPath, entry.name)
        const key = relative(directory, path).split('/').map(encodeURIComponent).join('/')
        await put(`/${PREFIX}/${key}`, new Uint8Array(readFileSync(path)))
      }
    },
    close,
  }
}
