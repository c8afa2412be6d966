import type { TestService } from '../../../support/http.ts'

export interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly headers: Headers
}

/** A browser on a page of the dashboard: it sends what its jar has, and keeps what it is given. */
export interface Browser {
  get(path: string): Promise<Answer>
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  /** The session's value in its jar. */
  session(): string | undefined
  /** Puts a value there, as somebody else might have. */
  plant(value: string): void
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const COOKIE = '__Host-answerlake'

export function openBrowser({ url }: Pick<TestService, 'url'>): Browser {
  const jar = new Map<string, string>()
  const send = async (path: string, { headers, ...init }: Sent): Promise<Answer> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(`${url}/ui/v1${path}`, {
      ...init,
      headers: { origin: url, 'sec-fetch-site': 'same-origin', cookie, 'user-agent': 'Firefox', ...headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    }
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  return {
    get: (path) => send(path, {}),
    post: (path, body = {}, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    session: () => jar.get(COOKIE),
    plant: (value) => void jar.set(COOKIE, value),
  }
}
