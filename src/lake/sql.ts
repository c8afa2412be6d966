import {
  BOOLEAN,
  DATE,
  DuckDBDateValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api'

/** A value that travels beside the SQL text, never in it. Made by `text()`, `texts()`, `integer()`, … only. */
export interface Binding {
  readonly kind: 'binding'
  readonly value: DuckDBValue
  readonly type: DuckDBType
}

/** A piece of SQL: texts around bindings. The only ways to make one are the `sql` tag and `join`. */
export interface Sql {
  readonly kind: 'sql'
  readonly texts: readonly string[]
  readonly bindings: readonly Binding[]
}

/** SQL text with `$1`, `$2`, … and the values in that order. */
export interface Statement {
  readonly text: string
  readonly values: DuckDBValue[]
  readonly types: DuckDBType[]
}

export const text = (value: string): Binding => ({ kind: 'binding', value, type: VARCHAR })
export const integer = (value: number): Binding => ({ kind: 'binding', value, type: INTEGER })
export const boolean = (value: boolean): Binding => ({ kind: 'binding', value, type: BOOLEAN })
/** A day given as `YYYY-MM-DD`. */
export const day = (value: string): Binding => ({
  kind: 'binding',
  value: new DuckDBDateValue(Date.parse(`${value}T00:00:00Z`) / 86_400_000),
  type: DATE,
})
export const texts = (values: readonly string[]): Binding => ({
  kind: 'binding',
  value: listValue([...values]),
  type: LIST(VARCHAR),
})
export const integers = (values: readonly number[]): Binding => ({
  kind: 'binding',
  value: listValue([...values]),
  type: LIST(INTEGER),
})
export const booleans = (values: readonly boolean[]): Binding => ({
  kind: 'binding',
  value: listValue([...values]),
  type: LIST(BOOLEAN),
})

/** Builds SQL; what stands in `${}` is other SQL or a typed binding. A bare string doesn't typecheck. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | Binding)[]): Sql {
  const out: string[] = [strings[0] ?? '']
  const bindings: Binding[] = []
  parts.forEach((part, index) => {
    const after = strings[index + 1] ?? ''
    if (part.kind === 'binding') {
      bindings.push(part)
      out.push(after)
      return
    }
    out[out.length - 1] += part.texts[0] ?? ''
    out.push(...part.texts.slice(1))
    bindings.push(...part.bindings)
    out[out.length - 1] += after
  })
  return { kind: 'sql', texts: out, bindings }
}

export const empty: Sql = sql``

/** The fragments one after the other with `separator` between them. */
export function join(fragments: readonly Sql[], separator: Sql): Sql {
  return fragments.reduce(
    (all, fragment, index) => (index === 0 ? fragment : sql`${all}${separator}${fragment}`),
    empty,
  )
}

/** Numbers the placeholders. A fragment used twice binds its values twice. */
export function compile(query: Sql): Statement {
  const [first = '', ...rest] = query.texts
  return {
    text: rest.reduce((all, part, index) => `${all}$${index + 1}${part}`, first),
    values: query.bindings.map((binding) => binding.value),
    types: query.bindings.map((binding) => binding.type),
  }
}
