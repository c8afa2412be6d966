import { orNothing } from './log-text.ts'

/**
 * Two fields of a writer that does not escape quotes, `"REFERER" "USER AGENT"`, from the text that holds exactly these
 * two; `-`, also without quotes, is nothing. Undefined when there is more than one way to split it: what a client wrote
 * must not pass for another field.
 */
export function splitTwoQuoted(text: string): readonly [string, string] | undefined {
  if (text === '- -') return ['', '']
  if (text.startsWith('- "')) return isAlone(text.slice(2)) ? ['', orNothing(text.slice(3, -1))] : undefined
  if (text.endsWith('" -')) return isAlone(text.slice(0, -2)) ? [orNothing(text.slice(1, -3)), ''] : undefined
  const between = text.indexOf('" "')
  const isWhole = text.length >= 5 && text.startsWith('"') && text.endsWith('"')
  if (!isWhole || between < 1 || between !== text.lastIndexOf('" "')) return undefined
  return [orNothing(text.slice(1, between)), orNothing(text.slice(between + 3, -1))]
}

/** Whether the text is one quoted field. */
function isAlone(text: string): boolean {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') && !text.includes('" "')
}
