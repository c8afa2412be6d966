import { join } from 'node:path'
import type { Presence } from '../../../src/catalog/leases.ts'
import { openSpool, seal } from '../../../src/collect/spool.ts'
import { toFailureLine, toSpoolLine } from '../../../src/collect/spool-line.ts'
import type { CallKind } from '../../../src/domain/call.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import { SITE, type TestLake } from './lake.ts'

export interface AskedAnswer {
  readonly id: string
  readonly text: string
  readonly prompt?: string
}

export interface RunOptions {
  readonly day: string
  readonly siteId?: string
  readonly kind?: CallKind
  /** Its process works on, and its files aren't sealed. */
  readonly lives?: boolean
  readonly main?: readonly AskedAnswer[]
  readonly shadow?: readonly AskedAnswer[]
  readonly failed?: readonly AskedAnswer[]
  /** Of answers with these ids and texts. */
  readonly judgements?: readonly AskedAnswer[]
}

/** Of runs whose processes work on. */
const living: Presence[] = []

/** A run that asked on a day: its raw replies kept as a scan keeps them, and those of main targets imported. */
export async function keepRun({ app, dataDir, clock }: TestLake, id: string, options: RunOptions): Promise<void> {
  const { day, siteId = SITE, kind = 'answer', lives = false } = options
  const presence = app.catalog.leases.enter()
  // Its lock is let go of when nobody refers to it any more.
  if (lives) living.push(presence)
  app.catalog.scanRuns.start({ id, siteId, kind, day, seed: 1, token: presence.token })
  const request = { method: 'POST', url: 'https://api.example/v1', headers: {} } as const
  const askedAt = new Date(clock.nowMs).toISOString()
  const toEnvelope = ({ id: callId, prompt = 'p0' }: AskedAnswer) => ({
    id: callId,
    date: day,
    asked_at: askedAt,
    prompt_id: prompt,
    platform: 'chatgpt',
    market: null,
    provider: 'openai',
    request,
  })
  const toBody = (text: string) => Buffer.from(JSON.stringify(toPayload(text)))
  await using spool = openSpool(dataDir, { id, day })
  const settle = async (): Promise<void> => {}
  for (const lane of ['main', 'shadow'] as const)
    for (const asked of options[lane] ?? [])
      await spool.keep(lane, toSpoolLine(toEnvelope(asked), [toBody(asked.text)]), settle)
  for (const asked of options.failed ?? []) {
    const envelope = { ...toEnvelope(asked), status: 500, reason: 'the reply is no JSON' }
    await spool.keep('failed', toFailureLine(envelope, [asked.text]), settle)
  }
  for (const asked of options.judgements ?? []) {
    const judge = { provider: 'openai', model: 'gpt', prompt_version: 1 }
    const envelope = { id: asked.id, asked_at: askedAt, judge, request: { ...request, body: `Judge: ${asked.text}` } }
    await spool.keep('judgements', toSpoolLine(envelope, [toBody('positive')]), settle)
  }
  for (const lane of ['main', 'shadow', 'failed', 'judgements'] as const) {
    const name = await spool.turn(lane)
    if (name === undefined || lives) continue
    if (lane === 'main') await importReplies(app, join(dataDir, name), siteId)
    await seal(dataDir, name)
  }
  if (lives) return
  app.catalog.scanRuns.end(id, presence.token, 'complete')
  presence.leave()
}

async function importReplies(app: TestLake['app'], path: string, siteId: string): Promise<void> {
  const { imported, rejections } = await importAnswers(app.change, {
    site: app.catalog.sites.get(siteId),
    files: [path],
    format: 'auto',
    defaults: {},
    createPrompts: false,
    dryRun: false,
    strict: true,
    discoverMin: 1_000,
  })
  if (imported === 0) throw new Error(`nothing was imported: ${JSON.stringify(rejections)}`)
}

/** A completion of OpenAI's kind. */
function toPayload(text: string): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'gpt-5.5-2026-01-01',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
  }
}
