import { ENGINE_NAMES } from '../../names.ts'

const OTHERS: Readonly<Record<string, string>> = {
  deepseek: 'DeepSeek',
  duck_ai: 'Duck.ai',
  meta_ai: 'Meta AI',
  grok: 'Grok',
  you: 'You.com',
}

/** The engine that sent a visit; the list is open, so an unknown slug becomes words with a capital. */
export function toSourceName(source: string): string {
  if (source in ENGINE_NAMES) return ENGINE_NAMES[source as keyof typeof ENGINE_NAMES]
  const words = source.replaceAll('_', ' ')
  return OTHERS[source] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
