import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import type { ProviderTask } from './provider-process.ts'

export const CLIENT = { clientId: 'answerlake', clientSecret: 'a secret of the tests' }

/** Starts a provider in a process of its own, which ends with the test; gives its issuer. */
export async function startProvider(
  accounts: ProviderTask['accounts'],
  { authMethod = 'client_secret_basic', inIdToken = true }: Partial<ProviderTask> = {},
): Promise<string> {
  const task: ProviderTask = { ...CLIENT, accounts, authMethod, inIdToken }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'provider-process.ts'), JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  onTestFinished(async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  })
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error(`the provider ended: ${said}`)
}

/** A browser at the provider, which stays signed in there. */
export function openProviderBrowser() {
  const cookies = new Map<string, string>()
  const request = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  return {
    /** Goes to a location of the provider, signs in as the account where asked, and gives the address that it is sent back to. */
    async visit(location: string, account: string): Promise<{ back: URL; typed: boolean }> {
      let url = location
      let typed = false
      let response = await request(url)
      for (let step = 0; step < 20; step++) {
        const next = response.headers.get('location')
        if (next !== null) {
          url = new URL(next, url).href
          if (new URL(url).pathname.endsWith('/callback')) return { back: new URL(url), typed }
          response = await request(url)
          continue
        }
        expect(response.status).toBe(200)
        const isLogin = (await response.text()).includes('name="login"')
        typed ||= isLogin
        response = await request(
          url,
          isLogin ? { prompt: 'login', login: account, password: 'x' } : { prompt: 'consent' },
        )
      }
      throw new Error('the provider never sent the browser back')
    },
  }
}
