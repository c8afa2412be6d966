import { dayNumber } from '../domain/day.ts'
import { quotedString } from '@duckdb/node-api/lib/sql.js'

/** A value that travels beside the SQL text, never in it. Made by `text()`, `texts()`, `integer()`, … only. */
export type Binding = { readonly kind: 'binding' } & (
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'integer'; readonly value: number }
  | { readonly type: 'bigint'; readonly value: bigint }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** Days since 1970-01-01. */
  | { readonly type: 'day'; readonly value: number }
  | { readonly type: 'texts'; readonly value: readonly string[] }
  | { readonly type: 'integers'; readonly value: readonly number[] }
  | { readonly type: 'booleans'; readonly value: readonly boolean[] }
)

/** A text, of any characters. */
export const text = (value: string): Binding => ({ kind: 'binding', type: 'text', value })
/** A whole number of 32 bits. */
export const integer = (value: number): Binding => ({ kind: 'binding', type: 'integer', value })
/** A whole number of 64 bits. */
export const bigint = (value: number): Binding => ({ kind: 'binding', type: 'bigint', value: BigInt(value) })
/** True or false. */
export const boolean = (value: boolean): Binding => ({ kind: 'binding', type: 'boolean', value })
/** A day given as `YYYY-MM-DD`. */
export const day = (value: string): Binding => ({
  kind: 'binding',
  type: 'day',
  value: dayNumber(value),
})
/** A list of texts, for `unnest` or `list_contains`. */
export const texts = (value: readonly string[]): Binding => ({ kind: 'binding', type: 'texts', value })
/** A list of whole numbers of 32 bits. */
export const integers = (value: readonly number[]): Binding => ({ kind: 'binding', type: 'integers', value })
/** A list of true and false. */
export const booleans = (value: readonly boolean[]): Binding => ({ kind: 'binding', type: 'booleans', value })

/** A piece of SQL: texts around bindings. Made by the `sql` tag, what hangs on it, and `join` alone. */
export class Sql {
  readonly #texts: readonly string[]
  readonly #bindings: readonly Binding[]

  private constructor(texts: readonly string[], bindings: readonly Binding[]) {
    this.#texts = texts
    this.#bindings = bindings
  }

  /** One more than there are bindings, which stand between them. */
  get texts(): readonly string[] {
    return this.#texts
  }

  get bindings(): readonly Binding[] {
    return this.#bindings
  }

  /** What `sql` does. */
  static tag(this: void, strings: TemplateStringsArray, ...parts: readonly (Sql | Binding)[]): Sql {
    const out: string[] = [strings[0] ?? '']
    const bindings: Binding[] = []
    parts.forEach((part, index) => {
      const after = strings[index + 1] ?? ''
      if (part instanceof Sql) {
        out[out.length - 1] += part.texts[0] ?? ''
        out.push(...part.texts.slice(1))
        bindings.push(...part.bindings)
        out[out.length - 1] += after
      } else {
        bindings.push(part)
        out.push(after)
      }
    })
    return new Sql(out, bindings)
  }

  /**
   * A name of a table, column or type, from a list that the program has. Throws for anything but letters, digits and
   * `_`: such a name would need quotes, and no list here has one.
   */
  static identifier(this: void, name: string): Sql {
    if (!/^[a-z_][a-z0-9_]*$/i.test(name)) throw new Error(`${JSON.stringify(name)} is no name for SQL`)
    return new Sql([name], [])
  }

  /** A path as a text, for statements that take no value there. */
  static path(this: void, path: string): Sql {
    return new Sql([quotedString(path)], [])
  }

  /** A value written into the text, for SQL that others will run: what answerlake itself runs has bindings. */
  static literal(this: void, value: string | number | boolean | null): Sql {
    if (typeof value !== 'string') return new Sql([String(value)], [])
    // A terminal would obey these, and DuckDB takes a NUL for the end of the text.
    const parts = value.split(/([\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/u)
    const quoted = parts.map((part, index) => (index % 2 === 0 ? quotedString(part) : `chr(${part.codePointAt(0)})`))
    return new Sql([quoted.join(' || ')], [])
  }

  /** A whole number as text, for statements that take no value there. Throws for any other number. */
  static count(this: void, value: number): Sql {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
    return new Sql([String(value)], [])
  }
}

/** Builds SQL; what stands in `${}` is other SQL or a typed binding. A bare string doesn't typecheck. */
export const sql = Object.assign(Sql.tag, {
  identifier: Sql.identifier,
  path: Sql.path,
  literal: Sql.literal,
  count: Sql.count,
})

export const empty: Sql = sql``

/** The fragments one after the other with `separator` between them. */
export function join(fragments: readonly Sql[], separator: Sql): Sql {
  return fragments.reduce(
    (all, fragment, index) => (index === 0 ? fragment : sql`${all}${separator}${fragment}`),
    empty,
  )
}
