/** A value that travels beside the SQL text, never in it. Made by `text()`, `texts()`, `integer()`, … only. */
export type Binding = { readonly kind: 'binding' } & (
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'integer'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** Days since 1970-01-01. */
  | { readonly type: 'day'; readonly value: number }
  | { readonly type: 'texts'; readonly value: readonly string[] }
  | { readonly type: 'integers'; readonly value: readonly number[] }
  | { readonly type: 'booleans'; readonly value: readonly boolean[] }
)

/** A piece of SQL: texts around bindings. The only ways to make one are the `sql` tag and `join`. */
export interface Sql {
  readonly kind: 'sql'
  readonly texts: readonly string[]
  readonly bindings: readonly Binding[]
}

export const text = (value: string): Binding => ({ kind: 'binding', type: 'text', value })
export const integer = (value: number): Binding => ({ kind: 'binding', type: 'integer', value })
export const boolean = (value: boolean): Binding => ({ kind: 'binding', type: 'boolean', value })
/** A day given as `YYYY-MM-DD`. */
export const day = (value: string): Binding => ({
  kind: 'binding',
  type: 'day',
  value: Date.parse(`${value}T00:00:00Z`) / 86_400_000,
})
export const texts = (value: readonly string[]): Binding => ({ kind: 'binding', type: 'texts', value })
export const integers = (value: readonly number[]): Binding => ({ kind: 'binding', type: 'integers', value })
export const booleans = (value: readonly boolean[]): Binding => ({ kind: 'binding', type: 'booleans', value })

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
