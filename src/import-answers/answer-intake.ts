import { ENGINE_IDS } from '../domain/enums.ts'
import { dayNumber } from '../domain/day.ts'
import { toScanTime } from '../domain/scan-time.ts'
import type { AnswerWriter } from '../lake/write/answer-writer.ts'
import type { PlacedRecord } from './answer-reader.ts'
import { deriveCitations, deriveMentions } from './derive-answer.ts'
import { FutureDays } from './future-days.ts'
import type { KeptAnswer, SiteBrands } from './site-brands.ts'

interface IntakeParts {
  readonly brands: SiteBrands
  readonly writer: AnswerWriter
  readonly nowMs: number
}

interface Settled {
  readonly day: string
  readonly dropped: number
  readonly hasId: boolean
  readonly isJudged: boolean
}

/** Derives what records name and link to, hands them to the writer, and counts what is kept of them. */
export class AnswerIntake {
  /** Of the answers that the lake keeps; duplicates add nothing to these. */
  citationsDropped = 0
  judged = 0
  /** Records without an id of their own that stand in the lake already, by prompt, engine, day and text. */
  duplicatesByText = 0
  /** Of each file, records whose place a later one of the call takes. */
  readonly superseded: number[] = []
  readonly promptNos = new Set<number>()
  readonly futureDays: FutureDays
  readonly #parts: IntakeParts

  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.futureDays = new FutureDays(parts.nowMs)
  }

  async take({ fileNo, id, promptNo, record }: PlacedRecord): Promise<void> {
    const { brands, writer } = this.#parts
    const { day, askedAtMs } = toScanTime(record)
    const text = record.text ?? ''
    const { citations, dropped } = deriveCitations(text === '' ? [] : record.citations)
    const source = { provider: record.provider, platform: record.platform }
    const mentions =
      text === ''
        ? []
        : deriveMentions({ ...source, text, givenMentions: record.mentions }, brands.matcher, (name) =>
            brands.take(name),
          )
    writer.add(
      {
        fileNo,
        id,
        day: dayNumber(day),
        askedAtMs,
        platformNo: ENGINE_IDS.findIndex((engine) => engine === record.platform) + 1,
        promptNo,
        market: record.market ?? null,
        text,
        sentiment: record.sentiment ?? null,
        provider: record.provider ?? null,
        model: record.model ?? null,
        searchQueries: toJson(record.search_queries),
        givenMentions: toJson(record.mentions),
        consulted: toJson(record.consulted),
        mentions,
        citations,
      },
      this.#whenSettled(
        { promptNo, mentions, candidates: brands.findCandidates(text) },
        { day, dropped, hasId: record.id !== undefined, isJudged: (record.sentiment ?? null) !== null && text !== '' },
      ),
    )
    if (writer.full) await writer.flush()
  }

  /** Counts a record whose place a later one of the call takes. */
  supersede({ fileNo, record }: PlacedRecord): void {
    this.superseded[fileNo] = (this.superseded[fileNo] ?? 0) + 1
    if (record.id === undefined) this.duplicatesByText += 1
  }

  /** Made apart from the record, which is not to be held in memory by it. */
  #whenSettled(kept: KeptAnswer, { day, dropped, hasId, isJudged }: Settled): (isKept: boolean) => void {
    return (isKept) => {
      if (!isKept) {
        if (!hasId) this.duplicatesByText += 1
        return
      }
      if (isJudged) this.judged += 1
      this.futureDays.keep(day)
      this.citationsDropped += dropped
      this.promptNos.add(kept.promptNo)
      this.#parts.brands.keep(kept)
    }
  }
}

function toJson(values: readonly unknown[] | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values)
}
