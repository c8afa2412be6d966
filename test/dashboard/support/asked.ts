import type { Page } from 'playwright-core'
import type { DemoService } from '../../http/support/demo-service.ts'

/** A question as the page asked it under `/ui/v1`, or as its `Copy as curl` says it: the path is below `/v1`. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export type Row = Readonly<Record<string, unknown>>

/** Says which questions are the same; how many rows are wanted at most plays no part. */
export function toKey({ method, path, body }: Asked): string {
  const { limit: _limit, ...rest } = body ?? {}
  return JSON.stringify([method, path, Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** Collects what a page asks of the service, from now on. */
export function followQuestions(page: Page): ReadonlyMap<string, Asked> {
  const asked = new Map<string, Asked>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!pathname.startsWith('/ui/v1/')) return
    const text = request.postData()
    const question = {
      method: request.method(),
      path: pathname.slice('/ui/v1'.length) + search,
      body: text === null ? undefined : (JSON.parse(text) as Asked['body']),
    }
    asked.set(toKey(question), question)
  })
  return asked
}

const ASKING = /^curl -s (?:-w '\\n' -H "X-API-Key: \$KEY"|-H "X-API-Key: \$KEY" -H 'Accept: application\/x-ndjson') /

/** The questions of the lines for a shell that a panel copies. Throws where a line isn't one. */
export function parseCurls(text: string, origin: string): readonly Asked[] {
  if (text === '') return []
  return text.split('\n').map((line) => {
    if (!ASKING.test(line)) throw new Error(`not the expected command: ${line}`)
    const rest = line.replace(ASKING, '')
    const get = /^'([^']+)'$/.exec(rest)
    const post = /^-H 'Content-Type: application\/json' (\S+) -d '(.*)'$/.exec(rest)
    const url = get?.[1] ?? post?.[1] ?? ''
    if (!url.startsWith(`${origin}/v1/`)) throw new Error(`no address of the API: ${line}`)
    const json = post?.[2]?.replaceAll(`'\\''`, "'")
    return {
      method: json === undefined ? 'GET' : 'POST',
      path: url.slice(`${origin}/v1`.length),
      body: json === undefined ? undefined : (JSON.parse(json) as Asked['body']),
    }
  })
}

/** Asks `/v1` with a key, whatever was asked before once; gives the rows, of a thing one. */
export function openApiRows({
  send,
  key,
}: Pick<DemoService, 'send' | 'key'>): (question: Asked) => Promise<readonly Row[]> {
  const kept = new Map<string, Promise<readonly Row[]>>()
  const ask = async ({ method, path, body }: Asked): Promise<readonly Row[]> => {
    const { limit: _limit, ...whole } = body ?? {}
    const isThing = path.includes('/quality')
    const response = await send({
      method,
      path: `/v1${path}`,
      key,
      headers: { accept: isThing ? 'application/json' : 'application/x-ndjson' },
      ...(body === undefined ? {} : { body: whole }),
    })
    if (response.status !== 200) throw new Error(`${method} /v1${path} ${JSON.stringify(body)}: ${response.text}`)
    if (isThing) return [response.body.data as Row]
    const lines = response.text.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as Row)
  }
  return (question) => {
    const name = toKey(question)
    const known = kept.get(name) ?? ask(question)
    kept.set(name, known)
    return known
  }
}
