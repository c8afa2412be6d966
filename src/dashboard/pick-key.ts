/** The key of a list that a text names; undefined where it names none. Also `constructor` is none: a URL says anything. */
export function pickKey<Key extends string>(
  text: string | undefined,
  list: Readonly<Record<Key, unknown>>,
): Key | undefined {
  return text !== undefined && Object.hasOwn(list, text) ? (text as Key) : undefined
}
