/** A thread that judges batches of whole lines; started by tally-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { createLogSplitter } from './detect.ts'
import { createLogTally } from './log-tally.ts'
import { createLogFormatReader, createLogReader } from './reader.ts'
import type { TallyTask, TallyWorkerData } from './tally-pool.ts'

if (!parentPort) throw new Error('tally-worker.ts runs as a worker thread only')
const port = parentPort
const { format, reader, tally, slots } = workerData as TallyWorkerData
const memory = slots.map((slot) => Buffer.from(slot))

let splitter = createLogSplitter('lines')
const opened =
  typeof format === 'string' ? createLogReader(format, reader) : createLogFormatReader(format.logFormat, reader)
const judge = createLogTally(opened, tally, () => splitter.number)

port.on('message', ({ slot, bytes, offset }: TallyTask) => {
  splitter = createLogSplitter('lines', { offset })
  splitter.push(memory[slot]?.subarray(0, bytes) ?? Buffer.alloc(0), judge)
  const batch = judge.take()
  const columns = [...Object.values(batch.hits), ...Object.values(batch.visits)]
  port.postMessage(
    batch,
    columns.map((column) => column.buffer),
  )
})
port.postMessage('ready')
