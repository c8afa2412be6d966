/**
 * Two quoted fields of a writer that does not escape quotes, `"REFERER" "USER AGENT"`, from the text that holds exactly
 * these two. Undefined when there is more than one way to split it: what a client wrote must not pass for another field.
 */
export function splitTwoQuoted(text: string): readonly [string, string] | undefined {
  const between = text.indexOf('" "')
  const isWhole = text.length >= 5 && text.startsWith('"') && text.endsWith('"')
  if (!isWhole || between < 1 || between !== text.lastIndexOf('" "')) return undefined
  return [text.slice(1, between), text.slice(between + 3, -1)]
}
