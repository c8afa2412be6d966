import * as v from 'valibot'

/**
 * An array of `min` to `max` members. One that is too long is refused for that alone: validating each of the hundreds of
 * thousands of members that fit into a body would hold up everybody else.
 */
export function arrayOf<const S extends v.GenericSchema>(member: S, { min, max }: { min: number; max: number }) {
  const array = v.array(member)
  const bounded: typeof array = {
    ...array,
    '~run'(dataset, config) {
      const input = dataset.value
      if (!Array.isArray(input) || input.length <= max) return array['~run'](dataset, config)
      return { typed: false, value: input, issues: [toIssue(input, max)] }
    },
  }
  return v.pipe(bounded, v.minLength(min), v.maxLength(max))
}

/** What `v.maxLength` itself would say. */
function toIssue(input: unknown[], max: number): v.ArrayIssue {
  const said = { expected: `<=${max}`, received: String(input.length), requirement: max, message: 'too long' }
  return { ...said, kind: 'validation', type: 'max_length', input } as unknown as v.ArrayIssue
}
