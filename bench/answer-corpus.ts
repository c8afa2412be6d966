import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { CATEGORIES, ENGINE_IDS } from '../src/domain/enums.ts'

export interface CorpusOptions {
  readonly answers: number
  readonly prompts: number
  readonly brands: number
  readonly days: number
  /** First day, `YYYY-MM-DD`. */
  readonly firstDay: string
}

/** Steady pseudo-random numbers below `limit`: the same corpus every time. */
export function createDice(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const WORDS =
  'the platform offers teams a shared inbox with reporting and automation that most reviewers describe as reliable while pricing stays predictable for growing companies and support answers within a day according to several comparisons published this year'.split(
    ' ',
  )

export function brandName(no: number): string {
  return `Brand${String.fromCharCode(65 + (no % 26))}${no} Labs`
}

/** Writes native answers of about 2 KB of prose with six links and a few of the brands, one a line. */
export async function writeAnswerCorpus(
  path: string,
  { answers, prompts, brands, days, firstDay }: CorpusOptions,
): Promise<void> {
  const dice = createDice(7)
  const out = createWriteStream(path)
  const start = Date.parse(`${firstDay}T00:00:00Z`)
  for (let no = 0; no < answers; no++) {
    const words: string[] = []
    for (let length = 0; length < 1_900; length += 7) words.push(WORDS[dice(WORDS.length)] ?? '')
    for (let mention = 0; mention < 4; mention++) words.splice(dice(words.length), 0, brandName(dice(brands)))
    const promptNo = dice(prompts)
    const line = JSON.stringify({
      id: `a${no}`,
      date: new Date(start + Math.floor((no * days) / answers) * 86_400_000).toISOString().slice(0, 10),
      platform: ENGINE_IDS[dice(ENGINE_IDS.length)],
      prompt: `Which product fits case ${promptNo}?`,
      category: CATEGORIES[promptNo % CATEGORIES.length],
      text: words.join(' '),
      citations: Array.from({ length: 6 }, () => {
        const host = dice(3_000)
        return {
          url: `https://www.site${host}.com/articles/${dice(80)}?utm_source=openai`,
          title: `Article of site ${host}`,
        }
      }),
      sentiment: ['positive', 'neutral', 'negative', null][dice(4)],
    })
    if (!out.write(`${line}\n`)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}
