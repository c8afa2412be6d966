import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DOCUMENT } from '../support/documented.ts'
import { UPDATES_GOLDEN } from '../support/golden.ts'

const TYPES = fileURLToPath(new URL('../../src/client/openapi.d.ts', import.meta.url))
const TEXT = JSON.stringify(DOCUMENT)
const MARK = `// Types of the OpenAPI document with the SHA-256 ${createHash('sha256').update(TEXT).digest('hex')}; \`npm run golden\` makes them anew.`

const readMark = (): string | undefined => readFileSync(TYPES, 'utf8').split('\n')[0]

/** openapi-typescript needs the programmatic interface of TypeScript 5, so it stays outside of the dependencies. */
function writeTypes(): void {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-types-'))
  writeFileSync(join(dir, 'openapi.json'), TEXT)
  const packages = ['-p', 'typescript@5.9.3', '-p', 'openapi-typescript@7.13.0']
  // A field with a default may be left out of a request.
  const options = ['--default-non-nullable', 'false', '--output', join(dir, 'openapi.d.ts')]
  execFileSync('npx', ['--yes', ...packages, 'openapi-typescript', join(dir, 'openapi.json'), ...options])
  writeFileSync(TYPES, `${MARK}\n${readFileSync(join(dir, 'openapi.d.ts'), 'utf8')}`)
  rmSync(dir, { recursive: true })
}

it("keeps the client's types in step with the document", () => {
  if (UPDATES_GOLDEN && readMark() !== MARK) writeTypes()
  expect(readMark()).toBe(MARK)
})
