import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Import {
  /** As it is written: a package, or a path from the importing file. */
  readonly name: string
  /** The imported file from the repository's root; undefined for packages. */
  readonly path: string | undefined
  /** `type` imports are gone at run time; `late` ones (`import()`, a worker's file) load when they are reached. */
  readonly kind: 'type' | 'static' | 'late'
}

export interface SourceFile {
  /** From the repository's root. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

/** The TypeScript files below folders of the repository, without declaration files. */
export function readSources(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => {
        const path = `${folder}/${name}`
        const text = readFileSync(join(ROOT, path), 'utf8')
        return { path, text, imports: listImports(path, text) }
      }),
  )
}

const IMPORT = new RegExp(
  [
    /^(?:import|export)(?<type> type)?(?: [\w\s{},$*]*?)? from '(?<from>[^']+)'/,
    /^import '(?<bare>[^']+)'/,
    /(?<typeOf>typeof )?\bimport\('(?<called>[^']+)'\)/,
    /\bnew URL\('(?<worker>\.[^']+\.ts)', import\.meta\.url\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** What the text of a file imports, in its order. */
export function listImports(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(({ groups = {} }) => {
    const { type, from, bare, typeOf, called, worker } = groups
    const name = from ?? bare ?? called ?? worker ?? ''
    return {
      name,
      path: name.startsWith('.') ? normalize(join(dirname(file), name)) : undefined,
      kind: type || typeOf ? 'type' : called || worker ? 'late' : 'static',
    }
  })
}
