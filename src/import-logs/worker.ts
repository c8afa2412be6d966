/** A thread that classifies blocks of whole lines; started by worker-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { createClassification, type ClassifyOptions } from './classify.ts'
import { BlockClassifier } from './classify-block.ts'
import type { BlockAnswer, BlockTask } from './worker-pool.ts'

if (!parentPort) throw new Error('worker.ts runs as a worker thread only')
const port = parentPort
const classification = createClassification(workerData as ClassifyOptions)
const classifiers = new Map<string, BlockClassifier>()

port.on('message', ({ kind, memory, bytes, offset }: BlockTask) => {
  const key = JSON.stringify(kind)
  const classifier = classifiers.get(key) ?? new BlockClassifier(kind, classification)
  classifiers.set(key, classifier)
  const batch = classifier.classify(Buffer.from(memory, 0, bytes), offset)
  const columns = [...Object.values(batch.hits), ...Object.values(batch.visits)]
  const answer: BlockAnswer = { batch, memory }
  port.postMessage(answer, [memory, ...columns.map(({ buffer }) => buffer)])
})
port.postMessage('ready')
