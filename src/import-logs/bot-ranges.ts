import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BotRange } from '../catalog/bot-ranges.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import { parsePrefix } from '../derive/addresses.ts'
import { countAddresses } from '../derive/range-set.ts'
import { parseRangesDocument } from '../derive/ranges-document.ts'
import { CommandError } from '../errors.ts'
import { RANGE_ADDRESSES_MAX, RANGES_DOCUMENT_BYTES_MAX, RANGES_FETCH_TIMEOUT_MS } from '../log-limits.ts'
import { findBotByName, type RangesDocument } from '../reference/bots.ts'
import { readWholeFile } from '../read-whole-file.ts'
import { toOpenError } from '../input/open.ts'

/** A provider's document as it was read now. */
export interface LoadedDocument {
  readonly document: RangesDocument
  readonly prefixes: readonly string[]
}

/** A document that could not be fetched; its bots keep the ranges they had. */
export interface UnreachableDocument {
  readonly document: RangesDocument
  readonly reason: string
}

export interface FetchedDocuments {
  readonly loaded: readonly LoadedDocument[]
  readonly unreachable: readonly UnreachableDocument[]
}

export interface ReadDocuments {
  readonly loaded: readonly LoadedDocument[]
  /** JSON files of the directory that are named after no bot with published ranges. */
  readonly ignored: readonly string[]
}

/**
 * Fetches the documents from their providers. One that can't be reached is listed with the reason; one that arrives but is
 * no list of ranges is a CommandError for the whole call (contract/logs 11).
 */
export async function fetchRanges(
  documents: readonly RangesDocument[],
  { userAgent, signal }: { readonly userAgent: string; readonly signal: AbortSignal },
): Promise<FetchedDocuments> {
  const loaded: LoadedDocument[] = []
  const unreachable: UnreachableDocument[] = []
  const faults: unknown[] = []
  await Promise.all(
    documents.map(async (document) => {
      let text: string
      try {
        text = await fetchText(document.url, userAgent, signal)
      } catch (error) {
        signal.throwIfAborted()
        unreachable.push({ document, reason: toReason(error) })
        return
      }
      try {
        loaded.push({ document, prefixes: parseRangesDocument(text, { name: document.url, isPage: document.isPage }) })
      } catch (error) {
        faults.push(error)
      }
    }),
  )
  if (faults.length > 0) throw faults[0]
  return { loaded: inOrder(documents, loaded), unreachable: inOrder(documents, unreachable) }
}

/**
 * Reads `DIR/<bot_name>.json` of every bot that has a document; one file serves all bots that share it, several are put
 * together. A directory that isn't there or has no such file, and a file that is malformed or can't be read, are
 * CommandErrors.
 */
export async function readRanges(
  documents: readonly RangesDocument[],
  directory: string,
  signal?: AbortSignal,
): Promise<ReadDocuments> {
  const names = (await listFiles(directory)).filter((name) => name.endsWith('.json'))
  const ignored = new Set(names)
  const loaded: LoadedDocument[] = []
  for (const document of documents) {
    const files = names.filter((name) => findBotByName(name.slice(0, -'.json'.length))?.rangesUrl === document.url)
    const prefixes = new Set<string>()
    for (const name of files) {
      signal?.throwIfAborted()
      ignored.delete(name)
      for (const prefix of await readDocument(join(directory, name), document)) prefixes.add(prefix)
    }
    if (files.length > 0) loaded.push({ document, prefixes: [...prefixes] })
  }
  if (loaded.length > 0) return { loaded, ignored: [...ignored] }
  throw new CommandError(
    `${directory} holds no <bot_name>.json of a bot with published ranges, like GPTBot.json. \`answerlake bots list\` shows the names.`,
  )
}

/**
 * Keeps what was loaded, all in one transaction; prefixes that a document lists no longer stay (contract/api 5.9). Throws
 * CommandError when all of a document's ranges together would verify much of the internet.
 */
export function saveRanges(catalog: Catalog, loaded: readonly LoadedDocument[], clock: Clock): void {
  catalog.transaction(() => {
    for (const { document, prefixes } of loaded) {
      catalog.botRanges.replaceDocument(document.url, prefixes, clock.now())
    }
    const stored = Map.groupBy(catalog.botRanges.list(), ({ documentUrl }) => documentUrl)
    for (const { document } of loaded) refuseTooMany(document, stored.get(document.url) ?? [])
  })
}

function refuseTooMany({ url, bots }: RangesDocument, stored: readonly BotRange[]): void {
  const count = countAddresses(stored.flatMap(({ prefix }) => parsePrefix(prefix) ?? []))
  if (count.ipv4 <= RANGE_ADDRESSES_MAX.ipv4 && count.ipv6 <= RANGE_ADDRESSES_MAX.ipv6) return
  const bot = bots[0]?.name ?? url
  throw new CommandError(
    `${bot}: its ranges, with those of earlier documents, hold more addresses than a crawler has (over 2^24, for IPv6 2^100). Nothing was changed. Look at the document of ${url}; \`answerlake bots forget ${bot}\` takes back what was loaded before.`,
  )
}

function inOrder<T extends { readonly document: RangesDocument }>(
  documents: readonly RangesDocument[],
  entries: readonly T[],
): readonly T[] {
  return entries.toSorted((a, b) => documents.indexOf(a.document) - documents.indexOf(b.document))
}

/** A redirect is refused: the ranges of a document count only from the address that the provider documents. */
async function fetchText(url: string, userAgent: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    headers: { 'user-agent': userAgent, accept: 'application/json, text/html;q=0.5' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(RANGES_FETCH_TIMEOUT_MS)]),
  })
  if (!response.ok || response.body === null) throw new Error(`it answered with status ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > RANGES_DOCUMENT_BYTES_MAX)
      throw new Error(`it is larger than ${RANGES_DOCUMENT_BYTES_MAX / 1_048_576} MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function listFiles(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw toOpenError(directory, error)
    throw new CommandError(
      `${directory}: there is no such directory. Name the one that holds the providers' documents, each as <bot_name>.json, like GPTBot.json.`,
    )
  }
}

async function readDocument(path: string, document: RangesDocument): Promise<readonly string[]> {
  let text: string
  try {
    text = (await readWholeFile(path, RANGES_DOCUMENT_BYTES_MAX)).toString('utf8')
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw toOpenError(path, error)
  }
  return parseRangesDocument(text, { name: path, isPage: document.isPage })
}

/** The innermost cause: fetch wraps what the network said. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? toReason(error.cause) : error.message
}
