import * as v from 'valibot'
import content from '../../data/ordinary_words.json' with { type: 'json' }
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

const ordinaryWordFile = v.strictObject({
  ...HEAD,
  ordinary_words: v.array(
    v.strictObject({
      what: v.pipe(v.string(), v.nonEmpty()),
      words: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z]+$/))), v.nonEmpty()),
      ...SOURCED,
    }),
  ),
})

const WORDS: ReadonlySet<string> = new Set(
  parseCatalogue('ordinary_words.json', ordinaryWordFile, content).ordinary_words.flatMap(({ words }) => words),
)

/** Whether a brand's key (src/derive/brand-key.ts) is an ordinary English word that brands are named by. */
export function isOrdinaryWord(key: string): boolean {
  return WORDS.has(key)
}
