import * as v from 'valibot'

/** `v.maxLength` for a text, counted as JSON Schema does: an emoji is one character, not two UTF-16 units. */
export function maxCharacters(max: number): v.MaxLengthAction<string, number, undefined> {
  const action = v.maxLength<string, number>(max)
  return {
    ...action,
    '~run'(dataset, config) {
      const isShort = dataset.typed && dataset.value.length <= 2 * max && Array.from(dataset.value).length <= max
      return isShort ? dataset : action['~run'](dataset, config)
    },
  }
}
