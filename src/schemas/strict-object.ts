import * as v from 'valibot'
import { FAULTS_LISTED_MAX } from '../limits.ts'

/**
 * `v.strictObject` that lists every unknown field (the original stops at the first) and doesn't take an array for an object.
 */
export function strictObject<const E extends v.ObjectEntries>(
  entries: E,
): v.StrictObjectSchema<E, v.ErrorMessage<v.StrictObjectIssue> | undefined> {
  const known: v.StrictObjectSchema<E, undefined> = v.strictObject(entries)
  return {
    ...known,
    '~run'(dataset, config) {
      const input = dataset.value
      const result = known['~run'](Array.isArray(input) ? { value: null } : dataset, config)
      const first = result.issues?.find((issue) => issue.expected === 'never' && issue.path?.[0].input === input)
      if (first?.path === undefined || typeof input !== 'object' || input === null) return result
      const unknown = Object.keys(input).filter((key) => !Object.hasOwn(entries, key) && key !== first.path?.[0].key)
      for (const key of unknown.slice(0, FAULTS_LISTED_MAX)) {
        const further = { ...first, input: key, path: [{ ...first.path[0], key, value: undefined }] }
        result.issues?.push(further as typeof first)
      }
      return result
    },
  }
}
