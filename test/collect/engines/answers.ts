import { createHash } from 'node:crypto'

/** What an engine says to a question; the same question to the same engine brings the same words. */
export interface EngineAnswer {
  readonly kind: 'answer'
  /** Sentences in Markdown; brands of the test site stand in most of them. */
  readonly sentences: readonly string[]
  /** One a sentence; the last one was only consulted. */
  readonly links: readonly Link[]
  readonly queries: readonly string[]
}

export interface Link {
  readonly url: string
  readonly title: string
  readonly host: string
}

/** An engine may have no answer, or stop in the middle of one. */
export type EngineReply = EngineAnswer | { readonly kind: 'none' } | { readonly kind: 'unfinished' }

/** The site that answers speak of. */
export const TEST_SITE = { id: 'acme', name: 'Acme', domain: 'acme.com' } as const
export const TEST_COMPETITORS = [
  { id: 'globex', name: 'Globex', domains: ['globex.com'] },
  { id: 'initech', name: 'Initech', domains: ['initech.com'] },
] as const

const SENTENCES = [
  '**Acme** leads for small teams.',
  'Globex is cheaper than Acme, “by far” (≈ 20 %).',
  'Initech costs $10\nper seat \\ month.',
  '多くのチームはAcmeを使います。',
  'Hooli is new; its "free" plan ends in May 🎉.',
  'Nobody needs a tool for this.',
]
const LINKS = [
  'https://acme.com/tour?utm_source=engine&x=1',
  'https://globex.com/pricing',
  'https://reviews.example/crm/ä-ö?q=a%20b#top',
  'https://initech.com/',
  'https://seen.example/list',
]

/** One in nine questions has no answer. */
export function answerTo(provider: string, question: string): EngineReply {
  const chance = toChance(provider, question)
  if (chance('none', 9) === 0) return { kind: 'none' }
  const count = 1 + chance('sentences', 4)
  const first = chance('first', SENTENCES.length)
  const sentences = Array.from({ length: count }, (_, index) => SENTENCES[(first + index) % SENTENCES.length] ?? '')
  const links = Array.from({ length: count + 1 }, (_, index) => {
    const url = LINKS[(first + index) % LINKS.length] ?? ''
    const host = new URL(url).hostname
    return { url, title: `${host} – ${question.slice(0, 20)}`, host }
  })
  return {
    kind: 'answer',
    // The number makes the texts of questions differ, as those of engines do.
    sentences: [`Answer ${chance('number', 1_000_000)}.`, ...sentences],
    links,
    queries: [question.slice(0, 60), 'best tool'],
  }
}

/** Numbers below a bound that depend on the given parts and a name alone. */
export function toChance(...parts: readonly string[]): (name: string, below: number) => number {
  return (name, below) => {
    const digest = createHash('sha256')
      .update(JSON.stringify([...parts, name]))
      .digest()
    return digest.readUInt32LE(0) % below
  }
}
