import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { expect } from 'vitest'
import { buildAssets } from '../../src/http/dashboard/build-assets.ts'

/** Where a server that was just started listens, as it says on standard error. */
export async function readUrl({ stderr }: Pick<ChildProcessByStdio<null, null, Readable>, 'stderr'>): Promise<string> {
  let said = ''
  for await (const chunk of stderr) {
    const [, url] = /listening on (\S+)\n/.exec((said += String(chunk))) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the server ended before it listened: ${said}`)
}

/** A server shows the dashboard's page, and its files are those that the sources make. */
export async function expectDashboard(url: string): Promise<void> {
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("'none'")])
  const text = await page.text()
  const files = await buildAssets()
  const [, base] = /"(\/assets\/[0-9a-f]+)\/app[.]js"/.exec(text) ?? []
  for (const [name, content] of Object.entries(files)) {
    const asset = await fetch(`${url}${base}/${name}`)
    expect([name, asset.status, await asset.text()]).toEqual([name, 200, content])
  }
}
