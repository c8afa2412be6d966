import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const hasNginx = spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0

test.skipIf(!hasNginx)('the proxy of docs/operating.md passes nginx -t (needs nginx and openssl)', () => {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-nginx-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
  const [, printed = ''] = /```nginx\n(.*?)```/s.exec(page) ?? []
  expect(printed).toContain('ssl_certificate ')
  const [key, certificate] = [join(dir, 'answerlake.key'), join(dir, 'answerlake.pem')]
  const subject = ['-subj', '/CN=answerlake.example.com', '-days', '1', '-nodes']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate, ...subject], {
    stdio: 'pipe',
  })
  // Only the places that a test may write to are others.
  const block = printed
    .replace('/etc/ssl/certs/answerlake.pem', certificate)
    .replace('/etc/ssl/private/answerlake.key', key)
    .replace('/var/log/nginx/answerlake.log', join(dir, 'access.log'))
  writeFileSync(join(dir, 'nginx.conf'), `pid ${dir}/pid;\nevents {}\nhttp {\n${block}\n}\n`)
  const { status, stderr } = spawnSync('nginx', ['-t', '-e', join(dir, 'error.log'), '-c', join(dir, 'nginx.conf')], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
})
