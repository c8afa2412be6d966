import * as v from 'valibot'
import { Count, Text } from './values.ts'

/** What is said of every page of a list. */
export const pageInfo = {
  count: v.pipe(Count, v.description('Rows in this page.')),
  total_results: v.pipe(Count, v.description('Rows across all pages.')),
  next_cursor: v.pipe(v.nullable(Text), v.description('Pass as `cursor` for the next page; null on the last one.')),
}

/** `{info, data}` of one page. */
export function paged<const I extends v.GenericSchema, const S extends v.GenericSchema>(info: I, row: S) {
  return v.object({ info, data: v.array(row) })
}
