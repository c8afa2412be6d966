/** `key.create` as words: `key: create`; what isn't of this form stays. */
export function toActionWords(action: string): string {
  const [noun, verb] = action.split('.')
  const words = (text: string): string => text.replaceAll('_', ' ')
  return noun === undefined || verb === undefined ? words(action) : `${words(noun)}: ${words(verb)}`
}

/** What else is known of a change: `name: Grafana, permission: read`. */
export function describeDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ')
}
