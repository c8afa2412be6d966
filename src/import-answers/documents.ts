import { CsvReader, isCsv } from './csv-documents.ts'
import type { Document, DocumentReader } from './document.ts'
import { JsonReader } from './json-documents.ts'
import { StreamJoiner } from './streamed.ts'

/** Bytes that suffice to tell CSV from JSON: its header names two columns. */
const HEAD_BYTES = 4_096

/**
 * The records of a decompressed file, in batches: JSON documents one after the other (a line each or over many), the
 * elements of arrays of them, or the rows of a Bright Data CSV file (contract/imports 2.7). A broken record is a fault in its
 * place and the next one is read; the parts of a streamed answer are one record. Memory is bounded by the longest record allowed, not by the file.
 */
export async function* readDocuments(content: AsyncIterable<Buffer>): AsyncGenerator<Document[], void, undefined> {
  let head: Buffer = Buffer.alloc(0)
  let reader: DocumentReader | undefined
  const joiner = new StreamJoiner()
  for await (const bytes of content) {
    if (!reader) head = head.length === 0 ? bytes : Buffer.concat([head, bytes])
    if (!reader && head.length < HEAD_BYTES && !head.includes('\n')) continue
    const documents = joiner.push(reader ? reader.push(bytes) : (reader = openReader(head)).push(head))
    if (documents.length > 0) yield documents
  }
  const rest = [...joiner.push(reader ? reader.end() : readWhole(head)), ...joiner.end()]
  if (rest.length > 0) yield rest
}

function openReader(head: Buffer): DocumentReader {
  return isCsv(head) ? new CsvReader() : new JsonReader()
}

function readWhole(content: Buffer): Document[] {
  const reader = openReader(content)
  return [...reader.push(content), ...reader.end()]
}
