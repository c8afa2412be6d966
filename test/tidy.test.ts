import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Rooms and those they may import, besides themselves. `errors` stands for the ground floor's single files. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ground: [],
  domain: ['ground'],
  config: ['ground', 'domain'],
  data: [],
  reference: ['ground', 'domain', 'data'],
  derive: ['ground', 'domain', 'reference'],
  catalog: ['ground', 'domain', 'reference', 'derive'],
  lake: ['ground', 'domain', 'reference', 'derive'],
  change: ['ground', 'domain', 'reference', 'derive', 'catalog', 'lake'],
  reports: ['ground', 'domain', 'reference', 'derive', 'catalog', 'lake'],
  imports: ['ground', 'domain', 'reference', 'derive', 'catalog', 'lake', 'change'],
  maintenance: ['ground', 'domain', 'reference', 'derive', 'catalog', 'lake', 'change', 'imports'],
  actions: ['ground', 'domain', 'reference', 'derive', 'catalog', 'lake', 'change', 'reports'],
  app: [
    'ground',
    'domain',
    'reference',
    'derive',
    'catalog',
    'lake',
    'change',
    'reports',
    'imports',
    'maintenance',
    'actions',
    'config',
  ],
  http: ['ground', 'domain', 'config', 'reference', 'derive', 'catalog', 'lake', 'reports', 'actions', 'app'],
  client: [],
  cli: ['*'],
}

/** Packages that one room alone may use. */
const OWNED_PACKAGES: Readonly<Record<string, string>> = {
  '@duckdb/node-api': 'lake',
  'better-sqlite3': 'catalog',
  h3: 'http',
  pino: 'http',
  'openapi-fetch': 'client',
}

interface SourceFile {
  readonly path: string
  readonly room: string
  readonly text: string
  readonly imports: readonly { readonly name: string; readonly path: string | undefined; readonly isType: boolean }[]
}

function toRoom(path: string): string {
  const [top = '', second = ''] = path.split('/')
  if (top === 'data' || top === 'cli') return top
  if (top !== 'src') return 'outside'
  if (path === 'src/app.ts') return 'app'
  if (path === 'src/config.ts') return 'config'
  return second.endsWith('.ts') ? 'ground' : second
}

function readSources(): SourceFile[] {
  return ['src', 'cli'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => {
        const path = `${top}/${name}`
        const text = readFileSync(join(ROOT, path), 'utf8')
        const found = text.matchAll(
          /^(import|export)( type)?[^'"`;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
        )
        const imports = [...found].map(([, , type, from, bare, dynamic]) => {
          const target = from ?? bare ?? dynamic ?? ''
          return {
            name: target,
            path: target.startsWith('.') ? normalize(join(dirname(path), target)) : undefined,
            isType: type !== undefined || dynamic !== undefined,
          }
        })
        return { path, room: toRoom(path), text, imports }
      }),
  )
}

const sources = readSources()

describe('the house', () => {
  it('lets data flow one way: each room imports only from those below it', () => {
    const wrong = sources.flatMap(({ path, room, imports }) =>
      imports.flatMap((target) => {
        if (target.path === undefined) return []
        const to = toRoom(target.path)
        const allowed = MAY_IMPORT[room] ?? []
        return to === room || allowed.includes(to) || allowed.includes('*') ? [] : [`${path} imports ${target.path}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  it('has no circles among its files', () => {
    const edges = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.flatMap((target) => (target.path && !target.isType ? [target.path] : [])),
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
      for (const { name, path: target, isType } of byPath.get(path)?.imports ?? []) {
        if (!isType) load(target ?? name)
      }
    }
    for (const path of ['cli/main.ts', 'cli/serve.ts', 'src/app.ts', 'src/http/server.ts']) load(path)
    expect([...loaded].filter((name) => !/^(cli|src)\/|^node:/.test(name)).toSorted()).toEqual([
      'better-sqlite3',
      'data/engines.json',
      'h3',
      'ipaddr.js',
      'limiter',
      'lru-cache',
      'package.json',
      'pino',
      'valibot',
    ])
    expect([...loaded].filter((path) => /^src\/(derive|imports|maintenance)\//.test(path))).toEqual([
      'src/derive/brand-key.ts',
    ])
  })

  it('keeps DuckDB in lake, SQLite in catalog and h3 in http', () => {
    const wrong = sources.flatMap(({ path, room, imports }) =>
      imports
        .filter(({ name }) => OWNED_PACKAGES[name] !== undefined && OWNED_PACKAGES[name] !== room)
        .map(({ name }) => `${path} imports ${name}`),
    )
    expect(wrong.filter((line) => !line.startsWith('cli/version'))).toEqual([])
  })

  it('reads time, chance, environment and console in one place each', () => {
    const rules: readonly { readonly pattern: RegExp; readonly allowed: RegExp }[] = [
      { pattern: /\bDate\.now\(|new Date\(\)/, allowed: /^src\/clock\.ts$|^cli\// },
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

  it('names files for what they hold', () => {
    const banned = /(^|[/-])(utils?|helpers?|common|managers?|misc|shared)([/.-]|$)/
    expect(sources.map(({ path }) => path).filter((path) => banned.test(path))).toEqual([])
    expect(sources.map(({ path }) => path).filter((path) => !/^[a-z0-9./-]+$/.test(path))).toEqual([])
  })

  it('leaves no open ends: no skipped or solitary tests, no notes of things to do', () => {
    const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const solitary = tests.filter((name) =>
      /\b(it|test|describe)\.(only|todo)\(/.test(readFileSync(join(ROOT, 'test', name), 'utf8')),
    )
    expect(solitary).toEqual([])
    const notes = sources.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path)
    expect(notes).toEqual([])
  })

  it('gives every data file a schema that loads it, and its sources', () => {
    const names = readdirSync(join(ROOT, 'data')).filter((name) => name.endsWith('.json'))
    const loaded = sources
      .filter(({ room }) => room === 'reference')
      .map(({ text }) => text)
      .join('\n')
    const wrong = names.filter((name) => {
      const content = readFileSync(join(ROOT, 'data', name), 'utf8')
      return !loaded.includes(`data/${name}`) || !/"sources?"/.test(content)
    })
    expect(wrong).toEqual([])
    expect(relative(ROOT, join(ROOT, 'data'))).toBe('data')
  })
})
