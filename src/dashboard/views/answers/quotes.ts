import type { Schemas } from '../../../client/client.ts'
import type { BrandMarker, MarkedPiece } from '../../answer-text/brand-names.ts'

type Name = Exclude<MarkedPiece, string>
/** Only so much of an answer is searched. */
const SEARCHED_CHARACTERS = 50_000
/** So much of a sentence is shown, and so much of it before the name. */
const SHOWN_CHARACTERS = 320
const BEFORE_CHARACTERS = 160
const BETWEEN = /(?<=[.!?])\s+|(?<=[。！？])|\n+/

/** So many answers, of as many prompts as there are; in their order. */
export function pickVaried(answers: readonly Schemas['Answer'][], count: number): readonly Schemas['Answer'][] {
  const first = answers.filter(
    ({ prompt }, index) => answers.findIndex((other) => other.prompt?.id === prompt?.id) === index,
  )
  const picked = new Set([...first, ...answers.filter((answer) => !first.includes(answer))].slice(0, count))
  return answers.filter((answer) => picked.has(answer))
}

/** The first sentences of an answer that hold a wanted name, at most so many; of none the first sentence. */
export function pickSentences(text: string, mark: BrandMarker, isWanted: (name: Name) => boolean, max = 2): string[] {
  const sentences = text
    .slice(0, SEARCHED_CHARACTERS)
    .split(BETWEEN)
    .filter((sentence) => sentence.trim() !== '')
  const found: string[] = []
  for (const sentence of sentences) {
    const place = findName(sentence, mark, isWanted)
    if (place !== undefined) found.push(cutAround(sentence, place))
    if (found.length === max) break
  }
  const [first] = sentences
  return found.length > 0 || first === undefined ? found : [cutAround(first, 0)]
}

function findName(sentence: string, mark: BrandMarker, isWanted: (name: Name) => boolean): number | undefined {
  let place = 0
  for (const piece of mark(sentence)) {
    if (typeof piece !== 'string' && isWanted(piece)) return place
    place += typeof piece === 'string' ? piece.length : piece.name.length
  }
  return undefined
}

/** Without the signs of lists, headings and tables around it. */
function cutAround(sentence: string, place: number): string {
  const from = place > BEFORE_CHARACTERS * 1.5 ? place - BEFORE_CHARACTERS : 0
  const cut = sentence.slice(from, from + SHOWN_CHARACTERS)
  const inner = cut.replace(/^(?:[\s>|]|[#*+•-]+\s)+/, '').replace(/[\s|]+$/, '')
  return `${from > 0 ? '…' : ''}${inner}${from + SHOWN_CHARACTERS < sentence.length ? '…' : ''}`
}
