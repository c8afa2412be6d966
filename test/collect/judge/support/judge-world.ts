import { onTestFinished } from 'vitest'
import type { App } from '../../../../src/app.ts'
import { GATE_LIMITS } from '../../../../src/collect/gate.ts'
import {
  type JudgeContext,
  type JudgeRequest,
  type JudgeResult,
  judgeAnswers,
} from '../../../../src/collect/judge/judge-answers.ts'
import { resolveJudge } from '../../../../src/collect/judge/judge.ts'
import { parseScanConfig } from '../../../../src/collect/scan-config.ts'
import { readSecrets } from '../../../../src/collect/secrets.ts'
import { getProvider } from '../../../../src/collect/providers/index.ts'
import { toPace } from '../../../../src/collect/targets.ts'
import { openTestLake, SITE, type TestLake } from '../../../maintenance/support/lake.ts'
import { JudgeServer } from './judge-server.ts'

export const SECRET = 'gw-secret-8f2c4d6e'

const TONES = ['Acme is superb', 'Acme is awful', 'Acme exists'] as const

/** Answers about Acme in three tones, by turns, of two months, prompts and three engines. */
export function makeOpinions(count: number): { readonly id: string; readonly text: string }[] {
  return Array.from({ length: count }, (_, no) => ({
    id: `a${no}`,
    date: no % 2 === 0 ? '2026-10-05' : '2026-11-05',
    platform: ['chatgpt', 'perplexity', 'gemini'][no % 3],
    prompt: `What of ${no % 2}?`,
    text: `${TONES[no % 3]}, says answer ${no}.`,
  }))
}

export interface JudgeWorld {
  readonly lake: TestLake
  readonly server: JudgeServer
  readonly context: JudgeContext
  readonly request: JudgeRequest
  /** Judges the site's answers of both months by a gateway at the server. */
  judge(options?: Partial<JudgeRequest>, context?: Partial<JudgeContext>): Promise<JudgeResult>
}

/** A lake without answers, and a judge that costs 5 and 30 USD per million tokens. */
export async function openJudgeWorld(): Promise<JudgeWorld> {
  const server = await JudgeServer.start()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const lake = await openTestLake()
  const { context, request } = await toJudging(lake.app, server.url)
  const judge: JudgeWorld['judge'] = (options, others) =>
    judgeAnswers({ ...context, ...others }, { ...request, ...options })
  return { lake, server, context, request, judge }
}

/** What judging a site's answers by a gateway takes. */
export async function toJudging(app: App, url: string): Promise<Pick<JudgeWorld, 'context' | 'request'>> {
  const config = parseScanConfig(
    { providers: { custom: { base_url: url, per_minute: 100_000, concurrency: 4 } } },
    'scan.json',
  )
  return {
    context: {
      change: app.change,
      lake: app.lake,
      dataDir: app.config.dataDir,
      environment: {},
      secrets: await readSecrets({ ANSWERLAKE_SECRET_CUSTOM: SECRET }),
      toPace: (id) => toPace(config, getProvider(id)),
      budget: { dayMicros: undefined, monthMicros: undefined, targets: new Map() },
      limits: { gate: { ...GATE_LIMITS, restMs: 50, backoffMs: { first: 5, most: 20 } } },
    },
    request: {
      site: app.catalog.sites.get(SITE),
      judge: resolveJudge(config, { provider: 'custom', model: 'tiny' }),
      from: '2026-10-01',
      to: '2026-11-30',
      limit: 10_000,
      retries: false,
    },
  }
}
