import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSources, ROOT } from '../support/sources.ts'

const ASKS_FOR_EXECUTABLE = /\bprocess\.env\['ANSWERLAKE_EXE'\]/

test('npm run test:exe has the tests of the command line and of the pages that start the program, and no other', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = scripts['test:exe']!.split(' ').filter((word) => word.startsWith('test/'))
  const byPath = new Map(readSources('test').map((source) => [source.path, source]))
  const starts = (path: string, seen: Set<string>): boolean => {
    const source = byPath.get(path)
    if (source === undefined || seen.has(path)) return false
    seen.add(path)
    return ASKS_FOR_EXECUTABLE.test(source.text) || source.imports.some((one) => starts(one.path ?? '', seen))
  }
  const tests = [...byPath.keys()].filter((path) => /^test\/(cli\/)?[^/]+\.test\.ts$/.test(path))
  expect(named.toSorted()).toEqual(tests.filter((path) => starts(path, new Set())).toSorted())
})
