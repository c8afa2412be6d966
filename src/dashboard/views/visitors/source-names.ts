import { ENGINE_NAMES } from '../../names.ts'
import { pickKey } from '../../pick-key.ts'

const OTHERS = new Map([
  ['deepseek', 'DeepSeek'],
  ['duck_ai', 'Duck.ai'],
  ['meta_ai', 'Meta AI'],
  ['grok', 'Grok'],
  ['you', 'You.com'],
])

/** The engine that sent a visit; the list is open, so an unknown slug becomes words with a capital. */
export function toSourceName(source: string): string {
  const engine = pickKey(source, ENGINE_NAMES)
  if (engine !== undefined) return ENGINE_NAMES[engine]
  const words = source.replaceAll('_', ' ')
  return OTHERS.get(source) ?? words.charAt(0).toUpperCase() + words.slice(1)
}
