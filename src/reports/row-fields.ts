import type * as v from 'valibot'

type Asked = Readonly<Record<string, unknown>>

/**
 * The fields of a report's rows in their order (contract/api 14.3): what the request groups by, what each row has, what
 * `metrics` or `include` name. A field that rows may lack is there when the request names it, in a list or as `entity` does.
 */
export function listRowFields({ row }: { readonly row: v.GenericSchema }, request: object): string[] {
  const asked: Asked = { ...request }
  const [groups, metrics, included] = ['group_by', 'metrics', 'include'].map((name) => toNames(asked[name]))
  const named = [...(metrics ?? []), ...(included ?? [])]
  const entries: Readonly<Record<string, v.GenericSchema>> = 'entries' in row ? Object(row.entries) : {}
  const always = Object.entries(entries).flatMap(([name, schema]) => {
    const isElsewhere = groups?.includes(name) || named.includes(name)
    const isThere = schema.type !== 'optional' || Object.values(asked).includes(name)
    return isThere && !isElsewhere ? [name] : []
  })
  return [...(groups ?? []), ...always, ...named]
}

function toNames(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}
