/** A thread that classifies blocks of whole lines; started by worker-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { createClassification, type ClassifyOptions } from './classify.ts'
import { BlockClassifier } from './classify-block.ts'
import type { BlockTask, ThreadAnswer } from './worker-pool.ts'

if (!parentPort) throw new Error('worker.ts runs as a worker thread only')
const port = parentPort
const classification = createClassification(workerData as ClassifyOptions)
/** What the main thread has of the list of paths. */
let sent: { readonly paths: readonly string[]; readonly count: number } | undefined
const classifiers = new Map<string, BlockClassifier>()

port.on('message', ({ kind, memory, bytes, offset }: BlockTask) => {
  const key = JSON.stringify(kind)
  const classifier = classifiers.get(key) ?? new BlockClassifier(kind, classification)
  classifiers.set(key, classifier)
  const batch = classifier.classify(Buffer.from(memory, 0, bytes), offset)
  const columns = [...Object.values(batch.hits), ...Object.values(batch.visits)]
  const { paths } = batch
  const known = sent?.paths === paths ? sent.count : 0
  sent = { paths, count: paths.length }
  const answer: ThreadAnswer = { batch: { ...batch, paths: paths.slice(known) }, isNewList: known === 0, memory }
  port.postMessage(answer, [memory, ...columns.map(({ buffer }) => buffer)])
})
port.postMessage('ready')
