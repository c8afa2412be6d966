import { createHash } from 'node:crypto'
import type { AnswerRecord } from '../domain/answer.ts'
import { isRejection, type Rejection } from '../domain/rejection.ts'
import { toScanTime } from '../domain/scan-time.ts'
import { toBase32 } from '../ids.ts'
import { openInput } from '../input/open.ts'
import type { Rejections } from '../input/rejections.ts'
import { readDocuments } from './documents.ts'
import { readRecords } from './envelope.ts'
import type { ImportAnswersOptions } from './import-options.ts'
import type { SitePrompts } from './site-prompts.ts'

/** A record that is accepted: its id and prompt are known. */
export interface PlacedRecord {
  /** Of the call's files, from 0. */
  readonly fileNo: number
  /** Its own, or made of its content. */
  readonly id: string
  readonly promptNo: number
  readonly record: AnswerRecord
}

interface ReaderParts {
  readonly options: ImportAnswersOptions
  readonly prompts: SitePrompts
  readonly rejections: Rejections
}

/** Takes an accepted record. */
type Take = (placed: PlacedRecord) => Promise<void> | undefined

/** Reads files of answers and counts what happens to each record. */
export class AnswerReader {
  readonly records: number[] = []
  readonly rejected: number[] = []
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** Reads the call's files one by one and hands on each accepted record, in their order. */
  async readFiles(take: Take): Promise<void> {
    for (const [fileNo, path] of this.#parts.options.files.entries()) await this.#readFile(path, fileNo, take)
  }

  async #readFile(path: string, fileNo: number, take: Take): Promise<void> {
    const { options } = this.#parts
    this.records[fileNo] = 0
    this.rejected[fileNo] = 0
    await using input = await openInput(path, options.stdin ? { stdin: options.stdin } : {})
    for await (const documents of readDocuments(input)) {
      options.signal?.throwIfAborted()
      for (const document of documents) {
        if ('reason' in document) await this.#reject(fileNo, document.line, document.reason, document.text)
        else await this.#readDocument(fileNo, document, take)
      }
      options.onProgress?.({ file: input.name, ...input.progress(), records: this.records[fileNo] })
    }
  }

  async #readDocument(
    fileNo: number,
    document: { line: number; text: string; json: unknown },
    take: Take,
  ): Promise<void> {
    const { options } = this.#parts
    for (const record of readRecords(document.json, { format: options.format, defaults: options.defaults })) {
      const placed = isRejection(record) ? record : this.#place(fileNo, record)
      if ('reason' in placed) {
        await this.#reject(fileNo, document.line, placed.reason, document.text)
        continue
      }
      this.records[fileNo] = (this.records[fileNo] ?? 0) + 1
      await take(placed)
    }
  }

  #place(fileNo: number, record: AnswerRecord): PlacedRecord | Rejection {
    const { options, prompts } = this.#parts
    const prompt = prompts.find(record)
    if ('reason' in prompt) return prompt
    const id = record.id ?? toAnswerId(options.site.id, record, prompt.text)
    return { fileNo, id, promptNo: prompt.promptNo, record }
  }

  async #reject(fileNo: number, line: number, reason: string, record: string): Promise<void> {
    this.records[fileNo] = (this.records[fileNo] ?? 0) + 1
    this.rejected[fileNo] = (this.rejected[fileNo] ?? 0) + 1
    const file = this.#parts.options.files[fileNo] ?? ''
    await this.#parts.rejections.add({ file, line, reason, record })
  }
}

/** An id for a record that has none, from what makes it the same record when it is imported again (contract/imports 2.1). */
function toAnswerId(siteId: string, record: AnswerRecord, prompt: string): string {
  const hash = createHash('sha256')
  for (const part of [siteId, record.platform ?? '', prompt, toScanTime(record).day]) {
    hash.update(`${part.length}:${part};`)
  }
  hash.update(record.text ?? '')
  return `ans_${toBase32(hash.digest().subarray(0, 20))}`
}
