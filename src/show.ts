import { SHOWN_CHARACTERS_MAX } from './limits.ts'

/**
 * A text from outside as one line for a person: what a terminal would obey instead of showing it (control characters, line
 * breaks, marks that turn the direction of writing) as JSON escapes it, and of more than `most` characters the beginning.
 */
export function show(text: string, most = SHOWN_CHARACTERS_MAX): string {
  const shown = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text
  return escapeControls(shown).replaceAll(/[\t\n]/g, toEscape)
}

/** The same for JSON text, which may keep its own line breaks. */
export function escapeControls(text: string): string {
  return text.replaceAll(OBEYED, toEscape)
}

const OBEYED = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}\u206A-\u206F\uFEFF]/gu

function toEscape(character: string): string {
  const text = JSON.stringify(character)
  return text.length > 3 ? text.slice(1, -1) : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
