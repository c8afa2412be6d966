/** A thread that judges batches of whole lines; started by tally-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { BatchJudge, type BatchTask } from './batch-judge.ts'
import { openLineMemory } from './line-memory.ts'
import { createLogFormatReader, createLogReader } from './reader.ts'
import type { TallyWorkerData } from './tally-pool.ts'

if (!parentPort) throw new Error('tally-worker.ts runs as a worker thread only')
const port = parentPort
const { format, reader, tally, memory, slotCount } = workerData as TallyWorkerData

const opened =
  typeof format === 'string' ? createLogReader(format, reader) : createLogFormatReader(format.logFormat, reader)
const judge = new BatchJudge(opened, tally, openLineMemory(slotCount, memory))

port.on('message', (task: BatchTask) => {
  const batch = judge.judge(task)
  const columns = [...Object.values(batch.hits), ...Object.values(batch.visits)]
  port.postMessage(
    batch,
    columns.map((column) => column.buffer),
  )
})
port.postMessage('ready')
