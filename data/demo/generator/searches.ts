import type { EngineId } from '../../../src/domain/enums.ts'
import * as truths from '../truths.ts'
import type { Question } from './mentions.ts'
import { seededRandom } from './random.ts'

/** What engines that tell it searched for while they answered: the prompt in fewer words, as it is or narrowed down. */
export function searchesOf({ day, engine, prompt, sample }: Question): { search_queries?: readonly string[] } {
  const random = seededRandom([truths.SEED, 'searches', day, engine, prompt.id, sample].join('/'))
  if (!TELLING.includes(engine) || !random.chance(truths.SEARCHED_SHARE)) return {}
  const words = prompt.text.replaceAll(/[?,:]/g, '').replace(OPENING, '')
  const dated = words.includes('2026') ? `${words} compared` : `${words} 2026`
  const searches = [words, dated, `${words} reviews`, `${words} reddit`]
  return { search_queries: random.shuffle(searches).slice(0, random.between(1, 3)) }
}

const TELLING: readonly EngineId[] = ['chatgpt', 'perplexity']

const OPENING = /^(?:what is the|which|what|how do i|how to|compare|is|does|do|why do) /i
