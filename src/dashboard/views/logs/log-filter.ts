import type { ViewState } from '../../url-state.ts'

/** A filter of a report on logs that the URL can hold, with its parameter there. */
export interface LogFilterField {
  /** In the URL and in `ViewState.more`: `bot`. */
  readonly parameter: string
  /** Of the report: `bot_name`. */
  readonly field: string
  /** What a chip says before the value: `Crawler`. */
  readonly title: string
  readonly nameOf?: (value: string) => string
}

interface Condition {
  readonly field: string
  readonly op: string
  readonly value: string | boolean
}
type Filter = Condition | { readonly and: readonly Condition[] }

/** The filter that a state means, with further conditions; nothing to spread into a body where there is none. */
export function toLogFilter(
  { more }: Pick<ViewState, 'more'>,
  fields: readonly LogFilterField[],
  further: readonly Condition[] = [],
): { readonly filter?: Filter } {
  const conditions = [
    ...fields.flatMap(({ parameter, field }): readonly Condition[] => {
      const value = more[parameter] ?? ''
      return value === '' ? [] : [{ field, op: 'is', value }]
    }),
    ...further,
  ]
  const [first] = conditions
  if (first === undefined) return {}
  return { filter: conditions.length === 1 ? first : { and: conditions } }
}

/** The filters that are on, for chips. */
export function listLogFilters({ more }: Pick<ViewState, 'more'>, fields: readonly LogFilterField[]) {
  return fields.flatMap(({ parameter, title, nameOf }) => {
    const value = more[parameter] ?? ''
    return value === '' ? [] : [{ parameter, label: `${title}: ${nameOf?.(value) ?? value}` }]
  })
}

/** A search in paths as a condition; none for a blank one. */
export const toPathSearch = (text: string | undefined): readonly Condition[] =>
  text === undefined || text.trim() === ''
    ? []
    : [{ field: 'path', op: 'contains_case_insensitive', value: text.trim() }]
