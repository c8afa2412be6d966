import { dirname, join } from 'node:path'
import { toActor } from '../actor.ts'
import { systemClock, toTimestamp, type Clock } from '../clock.ts'
import { systemRandom, toBase32, type Random } from '../ids.ts'
import { type Audit, openAudit } from './audit.ts'
import { openBotRanges, type BotRanges } from './bot-ranges.ts'
import { openBrandTable } from './brands.ts'
import { openCalls, type Calls } from './calls.ts'
import { openCards, type Cards } from './cards.ts'
import { makeFile, requireFile } from './catalog-file.ts'
import { openCompetitors, type Competitors } from './competitors.ts'
import { openDeletions, type Deletions } from './deletions.ts'
import { openDerivations, type Derivations } from './derivations.ts'
import { type ForgottenReplies, openForgottenReplies } from './forgotten-replies.ts'
import { type Identities, openIdentities } from './identities.ts'
import { openImports, type Imports } from './imports.ts'
import { openKeys, type Keys } from './keys.ts'
import { openLeases, type Leases } from './leases.ts'
import { isMissingOrEmpty, refuseMissingCatalog } from './missing-catalog.ts'
import { openManifest, type Manifest } from './manifest.ts'
import { backUp, migrate, schemaVersion } from './migrations.ts'
import { type Moves, openMoves } from './moves.ts'
import { openOrganizations, type Organizations } from './organizations.ts'
import { openPrompts, type Prompts } from './prompts.ts'
import { openOperatorKeys, type OperatorKeys } from './operator-keys.ts'
import { openPublications, type Publications } from './publications.ts'
import { openRecordedChanges, type RecordedChanges } from './recorded-changes.ts'
import { openScanRuns, type ScanRuns } from './scan-runs.ts'
import { openScans, type Scans } from './scans.ts'
import { openServedOrigins, type ServedOrigins } from './served-origins.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { openSites, type Sites } from './sites.ts'
import { openSpend, type Spend } from './spend.ts'
import { openUndecided, type Undecided } from './undecided.ts'
import { openUsers, type Users } from './users.ts'
import { openStore, type CatalogMode, type Store, writeWhenFree } from './store.ts'

export interface CatalogOptions {
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  readonly mode: CatalogMode
  /** Who the changes are noted under; the system's user without it. */
  readonly actor?: string | undefined
  /** Makes the directory and the catalog when there is none; without it a missing catalog is a CommandError. */
  readonly create?: boolean | undefined
}

/**
 * What people decide, and the manifest of the lake: one SQLite file, safe for any number of processes. Every method does
 * its work before it returns. In the server a write that meets another writer throws `overloaded` after a quarter of a
 * second: call it through `whenFree`.
 */
export interface Catalog extends Disposable {
  readonly path: string
  /** Opened on a full disk: until it is closed no other process can (store.ts). */
  readonly isAlone: boolean
  /** Made once with the catalog, the same after a restore. */
  readonly dataDirectoryId: string
  /** 32 random bytes that sign cursors, made once with the catalog. */
  readonly cursorSecret: Uint8Array
  readonly organizations: Organizations
  readonly sites: Sites
  readonly prompts: Prompts
  readonly competitors: Competitors
  readonly keys: Keys
  readonly operatorKeys: OperatorKeys
  readonly users: Users
  readonly identities: Identities
  readonly sessions: Sessions
  readonly audit: Audit
  readonly manifest: Manifest
  readonly publications: Publications
  readonly scans: Scans
  readonly scanRuns: ScanRuns
  readonly calls: Calls
  readonly spend: Spend
  readonly imports: Imports
  readonly recordedChanges: RecordedChanges
  readonly undecided: Undecided
  readonly cards: Cards
  readonly botRanges: BotRanges
  readonly leases: Leases
  readonly servedOrigins: ServedOrigins
  readonly derivations: Derivations
  readonly deletions: Deletions
  readonly forgottenReplies: ForgottenReplies
  readonly moves: Moves
  /** Reads that belong together, on one state of the catalog. */
  read<T>(work: () => T): T
  /** In the server, repeats a write until no other process writes, without keeping the event loop; `overloaded` after a second. */
  whenFree<T>(work: () => T): Promise<T>
  /** Writes that belong together: all are kept, or none when the work throws. */
  transaction<T>(work: () => T): T
  /** A number that differs from an earlier one whenever any process has changed anything in between (a few microseconds). */
  version(): number
  /** A consistent copy into a new file, while others read and write. */
  backupTo(path: string): void
  /** What SQLite finds wrong with the file, its indexes and its references; empty when it is sound. */
  integrityCheck(): string[]
  /** The same without indexes and references, in a fraction of the time. */
  quickCheck(): string[]
  /** Brings the write-ahead log into the file; false when a reader or writer kept part of it back. */
  checkpoint(): boolean
  /** Writes the noted uses of keys and sessions and closes the file. Closing twice changes nothing. */
  close(): void
}

/**
 * Opens the catalog at the path, brought to the newest schema. Directory and file are for their owner alone. One that was
 * lost, missing or empty beside a lake with files, is refused with a CommandError.
 */
export function openCatalog(path: string, options: CatalogOptions): Catalog {
  const { clock = systemClock, random = systemRandom, mode, actor = toActor(), create = false } = options
  // Before SQLite opens it: beside an empty file that would delete its log, which may be of use to a rescue.
  refuseMissingCatalog(path, () => isMissingOrEmpty(path))
  if (create) makeFile(path)
  requireFile(path)
  const meta = prepareFile(path, { clock, random })
  const store = openStore(path, { clock, random, mode })
  return assemble(store, meta, actor)
}

/** Brings the file to the newest schema; with patience also for the server, which isn't serving yet. */
function prepareFile(path: string, { clock, random }: { clock: Clock; random: Random }): MetaRow {
  const store = openStore(path, { clock, random, mode: 'command' })
  try {
    refuseMissingCatalog(path, () => store.read(() => schemaVersion(store)) === 0)
    migrate(store)
    return loadMeta(store)
  } finally {
    store.db.close()
  }
}

function assemble(store: Store, meta: MetaRow, actor: string): Catalog {
  const { db } = store
  const brands = openBrandTable(store)
  const organizations = openOrganizations(store)
  const sites = openSites(store, organizations, brands)
  const keys = openKeys(store, organizations)
  const sessions = openSessions(store)
  const recordedChanges = openRecordedChanges(store, actor)
  const leases = openLeases(store, join(dirname(db.name), 'locks'))
  const scanRuns = openScanRuns(store, leases)
  const spend = openSpend(store)
  const forgottenReplies = openForgottenReplies(store)
  const deletions = openDeletions(store, { sites, organizations, recordedChanges, forgottenReplies })
  const close = () => {
    if (!db.open) return
    try {
      keys.flushLastUsed()
      sessions.flushLastUsed()
    } finally {
      db.close()
    }
  }
  return {
    path: db.name,
    isAlone: store.isAlone,
    dataDirectoryId: meta.data_directory_id,
    cursorSecret: meta.cursor_secret,
    organizations,
    sites,
    prompts: openPrompts(store, sites, brands),
    competitors: openCompetitors(store, sites, brands),
    keys,
    operatorKeys: openOperatorKeys(store),
    users: openUsers(store, { organizations, sessions }),
    identities: openIdentities(store),
    sessions,
    audit: openAudit(store, actor),
    manifest: openManifest(store),
    publications: openPublications(store),
    scans: openScans(store, scanRuns),
    scanRuns,
    calls: openCalls(store, { runs: scanRuns, spend }),
    spend,
    imports: openImports(store),
    recordedChanges,
    undecided: openUndecided(store, brands),
    deletions,
    forgottenReplies,
    moves: openMoves(store, { organizations, sites, scanRuns, deletions, sessions }),
    cards: openCards(store),
    botRanges: openBotRanges(store),
    derivations: openDerivations(store),
    leases,
    servedOrigins: openServedOrigins(store, leases),
    read: (work) => store.read(work),
    whenFree: (work) => writeWhenFree(store, work),
    transaction: (work) => store.write(work),
    version: () => store.version(),
    backupTo: (path) => backUp(store, path),
    integrityCheck: () => findFaults(() => [...check(store, 'integrity_check'), ...checkReferences(store)]),
    quickCheck: () => findFaults(() => check(store, 'quick_check')),
    checkpoint: () => {
      const [result] = store.guard(() => db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])
      return result?.busy === 0
    },
    close,
    [Symbol.dispose]: close,
  }
}

/** Some damage ends the check itself; then that is the finding. */
function findFaults(find: () => string[]): string[] {
  try {
    return find()
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function check({ db }: Store, pragma: 'integrity_check' | 'quick_check'): string[] {
  const found = db.pragma(pragma) as Record<string, string>[]
  return found.flatMap((row) => Object.values(row)).filter((line) => line !== 'ok')
}

/** SQLite has no checksums: a bit that changed inside a value shows only where the value is used elsewhere too. */
function checkReferences({ db }: Store): string[] {
  const found = db.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[]
  return found.map(({ table, rowid, parent }) => `row ${rowid ?? '?'} of ${table} names nothing in ${parent}`)
}

interface MetaRow {
  readonly data_directory_id: string
  readonly cursor_secret: Buffer
}

function loadMeta(store: Store): MetaRow {
  const select = store.db.prepare<[], MetaRow>('SELECT data_directory_id, cursor_secret FROM meta')
  const insert = store.db.prepare<[string, Uint8Array, string]>(
    'INSERT INTO meta (only_row, data_directory_id, cursor_secret, created_at) VALUES (1, ?, ?, ?)',
  )
  const found = store.read(() => select.get())
  if (found) return found
  return store.write(() => {
    const now = toTimestamp(store.clock.now())
    if (!select.get()) insert.run(toBase32(store.random.bytes(16)), store.random.bytes(32), now)
    const made = select.get()
    if (!made) throw new Error('the row of meta was just written and is not there')
    return made
  })
}
