import { createHash } from 'node:crypto'
import type { AnswerRecord } from '../domain/answer.ts'
import { ENGINE_IDS } from '../domain/enums.ts'
import { isRejection } from '../domain/rejection.ts'
import { dayNumber } from '../domain/day.ts'
import { toScanTime } from '../domain/scan-time.ts'
import { toBase32 } from '../ids.ts'
import type { AnswerWriter } from '../lake/write/answer-writer.ts'
import { openInput } from '../input/open.ts'
import type { Rejections } from '../input/rejections.ts'
import { deriveCitations, deriveMentions } from './derive-answer.ts'
import { readDocuments } from './documents.ts'
import { readRecords } from './envelope.ts'
import { FutureDays } from './future-days.ts'
import type { ImportAnswersOptions } from './import-options.ts'
import type { KeptAnswer, SiteBrands } from './site-brands.ts'
import type { SitePrompts } from './site-prompts.ts'

interface IntakeParts {
  readonly options: ImportAnswersOptions
  readonly prompts: SitePrompts
  readonly brands: SiteBrands
  readonly writer: AnswerWriter
  readonly rejections: Rejections
  readonly nowMs: number
}

interface Settled {
  readonly day: string
  readonly dropped: number
  readonly hasId: boolean
  readonly isJudged: boolean
}

/** Carries records from a file to the writer, counting what happens to each. */
export class AnswerImporter {
  readonly records: number[] = []
  readonly rejected: number[] = []
  /** Of the answers that the lake keeps; duplicates add nothing to these. */
  citationsDropped = 0
  judged = 0
  /** Records without an id of their own that stand in the lake already, by prompt, engine, day and text. */
  duplicatesByText = 0
  readonly promptNos = new Set<number>()
  readonly futureDays: FutureDays
  readonly #parts: IntakeParts

  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.futureDays = new FutureDays(parts.nowMs)
  }

  async readFile(path: string, fileNo: number): Promise<void> {
    const { options } = this.#parts
    this.records[fileNo] = 0
    this.rejected[fileNo] = 0
    await using input = await openInput(path, options.stdin ? { stdin: options.stdin } : {})
    for await (const documents of readDocuments(input)) {
      options.signal?.throwIfAborted()
      for (const document of documents) {
        if ('reason' in document) await this.#reject(fileNo, document.line, document.reason, document.text)
        else await this.#readDocument(fileNo, document)
      }
      options.onProgress?.({ file: input.name, ...input.progress(), records: this.records[fileNo] })
    }
  }

  async #readDocument(fileNo: number, document: { line: number; text: string; json: unknown }): Promise<void> {
    const { options, writer } = this.#parts
    for (const record of readRecords(document.json, { format: options.format, defaults: options.defaults })) {
      const reason = isRejection(record) ? record.reason : this.#take(record, fileNo)
      if (reason === undefined) this.records[fileNo] = (this.records[fileNo] ?? 0) + 1
      else await this.#reject(fileNo, document.line, reason, document.text)
      if (writer.full) await writer.flush()
    }
  }

  /** Hands one record to the writer; the reason when it has to be rejected. */
  #take(record: AnswerRecord, fileNo: number): string | undefined {
    const { options, prompts, brands, writer } = this.#parts
    const prompt = prompts.find(record)
    if ('reason' in prompt) return prompt.reason
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
        id: record.id ?? toAnswerId(options.site.id, record.platform ?? '', prompt.text, day, text),
        day: dayNumber(day),
        askedAtMs,
        platformNo: ENGINE_IDS.findIndex((id) => id === record.platform) + 1,
        promptNo: prompt.promptNo,
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
        { promptNo: prompt.promptNo, mentions, candidates: brands.findCandidates(text) },
        { day, dropped, hasId: record.id !== undefined, isJudged: (record.sentiment ?? null) !== null && text !== '' },
      ),
    )
    return undefined
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

  async #reject(fileNo: number, line: number, reason: string, record: string): Promise<void> {
    this.records[fileNo] = (this.records[fileNo] ?? 0) + 1
    this.rejected[fileNo] = (this.rejected[fileNo] ?? 0) + 1
    const file = this.#parts.options.files[fileNo] ?? ''
    await this.#parts.rejections.add({ file, line, reason, record })
  }
}

/** An id for a record that has none, from what makes it the same record when it is imported again (contract/imports 2.1). */
function toAnswerId(siteId: string, platform: string, prompt: string, day: string, text: string): string {
  const hash = createHash('sha256')
  for (const part of [siteId, platform, prompt, day]) hash.update(`${part.length}:${part};`)
  return `ans_${toBase32(hash.update(text).digest().subarray(0, 20))}`
}

function toJson(values: readonly unknown[] | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values)
}
