import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRoom, holds, readRooms } from './support/rooms.ts'
import { readSources, ROOT, type SourceFile } from './support/sources.ts'

const rooms = readRooms(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'))
const sources = readSources('src', 'cli')

/** Packages and data that one folder alone may use. */
const OWNED: readonly { readonly what: RegExp; readonly owner: string }[] = [
  { what: /^@duckdb\/node-api(\/|$)/, owner: 'src/lake/' },
  { what: /^better-sqlite3$/, owner: 'src/catalog/' },
  { what: /^(h3|pino)$/, owner: 'src/http/' },
  { what: /^citty$/, owner: 'cli/' },
  { what: /^openapi-fetch$/, owner: 'src/client/' },
  { what: /^data\//, owner: 'src/reference/' },
  { what: /^package\.json$/, owner: 'src/version.ts' },
]

describe('the house', () => {
  it('has a room for every file, and files in every path of the table', () => {
    expect(sources.filter(({ path }) => findRoom(rooms, path) === undefined).map(({ path }) => path)).toEqual([])
    const files = [...sources.map(({ path }) => path), ...readdirSync(join(ROOT, 'data')).map((name) => `data/${name}`)]
    const empty = rooms.flatMap(({ paths }) => paths.filter((path) => !files.some((file) => holds(path, file))))
    expect(empty).toEqual([])
  })

  it('lets data flow one way: each room imports only what docs/architecture.md says', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const room = findRoom(rooms, path)
      return imports
        .filter((target) => {
          if (target.path === undefined || target.path === 'package.json') return false
          const to = findRoom(rooms, target.path)
          return to === undefined || (to !== room && room?.mayImport.has(to) !== true)
        })
        .map((target) => `${path} imports ${target.path}`)
    })
    expect(wrong).toEqual([])
  })

  it('sends the browser nothing of the server: the dashboard takes types alone', () => {
    const taken = sources
      .filter(({ path }) => path.startsWith('src/dashboard/'))
      .flatMap(({ imports }) => imports)
      .filter(({ path, kind }) => path !== undefined && !path.startsWith('src/dashboard/') && kind !== 'type')
    expect(taken).toEqual([])
  })

  it('has no circles among its files, but of types', () => {
    const edges = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.flatMap((target) => (target.path !== undefined && target.kind !== 'type' ? [target.path] : [])),
      ]),
    )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
      if (done.has(path) || trail.includes(path)) return
      for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
      done.add(path)
    }
    for (const path of edges.keys()) visit(path, [])
    expect(circles).toEqual([])
  })

  it('loads neither DuckDB nor the reports nor what they read before the server listens', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const loaded = new Set<string>()
    const load = (path: string): void => {
      if (loaded.has(path)) return
      loaded.add(path)
      for (const { name, path: target, kind } of byPath.get(path)?.imports ?? []) {
        if (kind === 'static') load(target ?? name)
      }
    }
    for (const path of ['cli/main.ts', 'cli/serve.ts', 'src/app.ts', 'src/http/server.ts']) load(path)
    expect([...loaded].filter((name) => !/^(cli|src)\/|^node:/.test(name)).toSorted()).toEqual([
      // Quotes a text; the library is loaded elsewhere.
      '@duckdb/node-api/lib/sql.js',
      'better-sqlite3',
      'citty',
      'data/engines.json',
      'h3',
      'ipaddr.js',
      'limiter',
      'lru-cache',
      'p-limit',
      'package.json',
      'pino',
      'valibot',
    ])
    const files = [...loaded].filter((path) => byPath.has(path))
    const http = findRoom(rooms, 'src/http/server.ts')!
    const serving = [findRoom(rooms, 'cli/main.ts')!, http, ...http.mayImport]
    expect(files.filter((path) => !serving.some((room) => room === findRoom(rooms, path)))).toEqual([])
    expect(files.filter((path) => path.startsWith('src/derive/'))).toEqual(['src/derive/brand-key.ts'])
  })

  it('keeps DuckDB in lake, SQLite in catalog, h3 in http, citty in cli and the data in reference', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) =>
          OWNED.some(({ what, owner }) => what.test(target.path ?? target.name) && !path.startsWith(owner)),
        )
        .map((target) => `${path} imports ${target.path ?? target.name}`),
    )
    expect(wrong).toEqual([])
  })

  it('lets unit tests reach no DuckDB, server, process or thread', () => {
    const byPath = new Map([...sources, ...readSources('test')].map((source) => [source.path, source]))
    // What quotes a text is a file of its own, without the library.
    const far = /^(@duckdb\/(?!node-api\/lib\/sql\.js$)|h3$|node:(child_process|cluster|https?|worker_threads)$)/
    const listFar = (path: string, seen: Set<string>): readonly string[] => {
      if (seen.has(path)) return []
      seen.add(path)
      const imports = (byPath.get(path)?.imports ?? []).filter(({ kind }) => kind !== 'type')
      return imports.flatMap(({ name, path: target }) => {
        if (target !== undefined) return listFar(target, seen)
        return far.test(name) ? [`${path} imports ${name}`] : []
      })
    }
    const units = [...byPath.keys()].filter((path) => path.endsWith('.unit.test.ts'))
    expect(units.length).toBeGreaterThan(0)
    expect(units.flatMap((path) => listFar(path, new Set()).map((line) => `${path}: ${line}`))).toEqual([])
  })

  it('reads time, chance, environment and console in one place each', () => {
    const rules: readonly { readonly pattern: RegExp; readonly allowed: RegExp }[] = [
      { pattern: /\bDate\.now\(|new Date\(\)/, allowed: /^src\/(dashboard\/)?clock\.ts$|^cli\// },
      { pattern: /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(/, allowed: /^src\/ids\.ts$/ },
      { pattern: /\bprocess\.(env|argv)\b/, allowed: /^cli\/(main|io)\.ts$/ },
      { pattern: /\bconsole\./, allowed: /^cli\/io\.ts$/ },
      { pattern: /\bprocess\.exit(Code)?\b/, allowed: /^cli\/main\.ts$/ },
    ]
    const wrong = sources.flatMap(({ path, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      return rules
        .filter(({ pattern, allowed }) => pattern.test(code) && !allowed.test(path))
        .map(({ pattern }) => `${path} uses ${pattern.source}`)
    })
    expect(wrong).toEqual([])
  })

  it('lets DuckDB run what the `sql` tag made and nothing else', () => {
    const runs =
      /\.(run|runAndRead|runAndReadAll|runAndReadUntil|runUntilLast|stream|streamAndRead\w*|start|startStream|prepare|extractStatements)\(/
    const running = sources.filter(({ path, text }) => path.startsWith('src/lake/') && runs.test(text))
    // Both take an `Sql`, which has no public constructor.
    expect(running.map(({ path }) => path).toSorted()).toEqual(['src/lake/read/select.ts', 'src/lake/statement.ts'])
  })

  it('says of each function and class that another room calls what it does', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]))
    const called = new Map<string, SourceFile>()
    for (const source of sources) {
      for (const { name, path, kind } of source.imports) {
        const target = path === undefined ? undefined : byPath.get(path)
        if (target === undefined || kind === 'type' || findRoom(rooms, target.path) === findRoom(rooms, source.path))
          continue
        for (const one of listImported(source.text, name)) called.set(`${target.path}: ${one}`, target)
      }
    }
    expect(called.size).toBeGreaterThan(300)
    const bare = [...called].filter(([label, { text }]) => {
      const name = label.slice(label.indexOf(': ') + 2)
      const made = new RegExp(
        `(?<before>.*)\\nexport (?:(?:abstract |async )*(?:function\\*?|class) ${name}\\b|const ${name}\\b[^\\n]*(?:=>|= \\(|= async|= memoize))`,
      ).exec(text)
      return made !== null && !made.groups?.['before']?.endsWith('*/')
    })
    expect(bare.map(([label]) => label)).toEqual([])
  })

  it('names files for what they hold', () => {
    const banned = /(^|[/-])(utils?|helpers?|common|managers?|misc|shared)([/.-]|$)/
    expect(sources.map(({ path }) => path).filter((path) => banned.test(path))).toEqual([])
    expect(sources.map(({ path }) => path).filter((path) => !/^[a-z0-9./-]+$/.test(path))).toEqual([])
  })

  it('imports each thing from the file that makes it: nothing is exported a second time', () => {
    const again = sources.filter(({ text }) => /^export (type )?(\*|\{[^}]*\}) from /m.test(text))
    expect(again.map(({ path }) => path)).toEqual([])
  })

  it('leaves no open ends: no skipped or solitary tests, no notes of things to do', () => {
    const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const solitary = tests.filter((name) =>
      /\b(it|test|describe)\.(only|todo|skip)\b/.test(readFileSync(join(ROOT, 'test', name), 'utf8')),
    )
    expect(solitary).toEqual([])
    const notes = sources.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path)
    expect(notes).toEqual([])
  })

  it('has no file of code over 280 lines, but generated ones', () => {
    const files = ['src', 'cli', 'bin'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|mts|js)$/.test(name) && !name.endsWith('.d.ts'))
        .map((name) => join(folder, name)),
    )
    const lines = (path: string): number => readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n').length
    expect(files.length).toBeGreaterThan(400)
    expect(files.filter((path) => lines(path) > 280)).toEqual([])
  })

  it('gives every data file a schema that loads it, and its sources', () => {
    const names = readdirSync(join(ROOT, 'data')).filter((name) => name.endsWith('.json'))
    const loaded = sources
      .filter(({ path }) => path.startsWith('src/reference/'))
      .map(({ text }) => text)
      .join('\n')
    const wrong = names.filter((name) => {
      const content = readFileSync(join(ROOT, 'data', name), 'utf8')
      return !loaded.includes(`data/${name}`) || !/"sources?"/.test(content)
    })
    expect(wrong).toEqual([])
  })
})

describe('the walks', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const walks = page.split(/^## /m).filter((section) => /^.*, file by file\n/.test(section))

  it('name files that are there, as many as they say', () => {
    expect(walks).toHaveLength(6)
    for (const walk of walks) {
      const rows = walk.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
      const files = rows.flatMap((row) => row.split('|').slice(2).flatMap(listFiles))
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
      expect(walk).toContain(`opens ${new Set(files).size} files`)
    }
  })

  /** A name without a folder of its own stands in that of the one before it. */
  function listFiles(cell: string): string[] {
    let folder = ''
    return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => {
      if (!/^(src|cli)\//.test(name)) return join(folder, name)
      folder = dirname(name)
      return name
    })
  }
})

/** Names that a file takes from another one, which it imports as `from`; types too where they stand among the others. */
function listImported(text: string, from: string): string[] {
  const file = from.replaceAll('.', String.raw`\.`)
  const lists = new RegExp(
    `\\{(?<static>[^{}]*)\\} from '${file}'|\\{(?<late>[^{}]*)\\} = await import\\('${file}'\\)`,
    'g',
  )
  const single = new RegExp(`\\(await import\\('${file}'\\)\\)\\.(\\w+)`, 'g')
  const listed = [...text.matchAll(lists)].flatMap(({ groups = {} }) =>
    (groups['static'] ?? groups['late'] ?? '').split(','),
  )
  return [...listed, ...Array.from(text.matchAll(single), ([, name = '']) => name)]
    .map((name) => /^(?:type )?(\w+)/.exec(name.trim())?.[1] ?? '')
    .filter((name) => name !== '')
}
