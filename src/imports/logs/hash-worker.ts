/** A thread that hashes content; started by hash-thread.ts. */
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

if (!parentPort) throw new Error('hash-worker.ts runs as a worker thread only')
const port = parentPort
const hash = createHash('sha256')

port.on('message', (bytes: Uint8Array) => {
  hash.update(bytes)
  port.postMessage(hash.copy().digest('hex'))
})
port.postMessage('ready')
