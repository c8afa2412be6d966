import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../src/people-limits.ts'
import { VERSION } from '../src/version.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = join(ROOT, 'docs/contract')
const PLACES = ['src', 'cli', 'test', 'bench', 'bin', 'data', 'docs', 'README.md', 'CHANGELOG.md']
const TEXT_FILE = /\.(?:[cm]?[jt]s|json|md|sql|sh)$/

interface Heading {
  readonly page: string
  /** As written: two hashes head a section, three one of its parts. */
  readonly hashes: string
  /** `5` or `5.3`; undefined where a heading has none. */
  readonly number: string | undefined
}

const headings: readonly Heading[] = readdirSync(PAGES).flatMap((name) =>
  [...readFileSync(join(PAGES, name), 'utf8').matchAll(/^(##+) (?:(\d+(?:\.\d+)?) \S)?/gm)].map(
    ([, hashes = '', number]) => ({ page: name.replace(/\.md$/, ''), hashes, number }),
  ),
)

/** A text file of the repository, where it may cite the contract. */
interface SourceFile {
  readonly path: string
  readonly text: string
}

function readSources(): SourceFile[] {
  const paths = PLACES.flatMap((place) =>
    TEXT_FILE.test(place)
      ? [place]
      : readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' }).map((name) => `${place}/${name}`),
  )
  return paths
    .filter((path) => TEXT_FILE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** `api 5.3` of each section that a text cites; a citation without a number is `api `. Paths of files are none. */
function listCited(text: string): string[] {
  const number = String.raw`\d+(?:\.\d+)?`
  const citation = new RegExp(
    String.raw`(?<!docs/|\.\./)\bcontract/([a-z]+)\b(?!\.[a-z]|\])(?: (${number}(?:(?:, | and | to )${number})*))?`,
    'g',
  )
  return [...text.matchAll(citation)].flatMap(([, page = '', numbers = '']) =>
    numbers.split(/, | and | to /).map((each) => `${page} ${each}`),
  )
}

const sources = readSources()

describe('the contract', () => {
  it('numbers its sections without gaps', () => {
    const wrong: string[] = []
    for (const [page, ofPage] of Map.groupBy(headings, (heading) => heading.page)) {
      let section = 0
      let part = 0
      for (const { hashes, number } of ofPage) {
        if (hashes === '##') [section, part] = [section + 1, 0]
        else part += 1
        const expected = hashes === '##' ? `${section}` : `${section}.${part}`
        if (hashes.length > 3 || number !== expected) wrong.push(`${page}: ${hashes} ${number}, wanted ${expected}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('has each section that anything cites', () => {
    const sections = new Set(headings.map(({ page, number }) => `${page} ${number}`))
    const cited = sources.flatMap(({ path, text }) => listCited(text).map((section) => ({ path, section })))
    expect(cited.filter(({ section }) => !sections.has(section))).toEqual([])
    expect(new Set(cited.map(({ section }) => section.split(' ')[0]))).toEqual(
      new Set(headings.map(({ page }) => page)),
    )
  })

  it('is cited by no other name', () => {
    // A path may end so: docs/contract has a page of payloads.
    const others = /(?<![/\w])(?:spec|decisions|formats|payloads|design)\.md\b/
    const found = sources.filter(({ path, text }) => !path.startsWith('docs/') && others.test(text))
    expect(found.map(({ path }) => path)).toEqual([])
  })
})

describe('what stands in two places', () => {
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

  it('is the same: this version is the newest of the changelog', () => {
    expect(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(VERSION)
    const { version } = JSON.parse(read('package-lock.json')) as { version: string }
    expect(version).toBe(VERSION)
  })

  it('is the same: the pages name the bounds of a password', () => {
    const [min, max] = [PASSWORD_CHARACTERS_MIN, PASSWORD_CHARACTERS_MAX].map((count) => count.toLocaleString('en'))
    expect(read('docs/contract/dashboard.md')).toContain(`take a password of ${min} to ${max} characters`)
    expect(read('docs/security.md')).toContain(`Passwords have ${min} characters or more`)
  })
})
