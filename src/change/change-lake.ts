import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import type { Lease } from '../catalog/leases.ts'
import { StoppedError } from '../catalog/sqlite-failures.ts'
import type { Clock } from '../clock.ts'
import type { ChangeKind, Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { openStaging, type Staging } from '../lake/write/staging.ts'
import { DATASET_GROUPS, type DatasetGroup } from './dataset-groups.ts'
import { removeOrphans } from './orphans.ts'

/** What changes of the lake stand on. */
export interface ChangeContext {
  readonly catalog: Catalog
  readonly clock: Clock
  /** The data directory's `lake/`. */
  readonly lakeDir: string
}

export interface ChangeOptions {
  readonly site: { readonly id: string }
  /** Data sets that the change may read and write. */
  readonly group: DatasetGroup
  readonly kind: ChangeKind
  readonly signal?: AbortSignal
  /** Called once when another change is in the way at first. */
  readonly onWait?: () => void
  /** Nothing will be committed: the change then waits for none and holds none up. */
  readonly dryRun?: boolean
  /** With false a change that is in the way is a BusyError at once. */
  readonly waits?: boolean
}

/** Another change is in the way of one that doesn't wait. */
export class BusyError extends CommandError {}

/** A change in the making. */
export interface Change {
  readonly staging: Staging
  /** The site's live files of the group when the change began. They stay until the change is over. */
  readonly files: readonly LakeFile[]
  /** The group's files as a commit would leave them that removes these `fileId`s; staged ones where they are now. */
  filesWithout(removed: ReadonlySet<string>): LakeFile[]
  /**
   * Makes the change visible, all at once: staged files get their place, then one transaction of the catalog writes the
   * manifest and whatever `within` writes. `remove` names files that the new snapshot no longer has.
   */
  commit(within: (snapshot: Snapshot) => void, remove?: readonly string[]): Promise<Snapshot>
}

/**
 * Runs one change of a site's part of the lake: in a staging directory that is gone afterwards, visible as a whole or not
 * at all, and alone: imports wait for imports, changes that replace files for such changes, and those that derive anew or
 * drop files for both. A compaction never holds an import up, since imports only add files. Throws CommandError for a full
 * disk, lost permissions and the like, AbortError when `signal` fires; nothing is left behind then.
 */
export async function changeLake<T>(
  context: ChangeContext,
  options: ChangeOptions,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const { catalog, lakeDir } = context
  const { site, group, kind, signal, onWait, waits = true, dryRun = false } = options
  const leases: Lease[] = []
  let staging: Staging | undefined
  let isUncertain = false
  try {
    // The commit would refuse it too, after all the work.
    if (!dryRun && catalog.moves.isStopped(site.id)) throw new StoppedError()
    // What is staged still needs a holder who is alive; a name of its own is free at once.
    const own = `dry-run:${newId('imp', context.clock.now())}`
    const names = dryRun ? [own] : LEASES[kind].map((scope) => `${scope}:${group}:${site.id}`)
    for (const name of names) {
      const waiting = { ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) }
      const lease = waits ? await catalog.leases.acquire(name, waiting) : catalog.leases.tryAcquire(name)
      if (!lease)
        throw new BusyError('Another process is changing this part of the lake. Repeat the command when it is done.')
      leases.push(lease)
    }
    const [first] = leases
    if (!first) throw new Error(`a change of kind ${kind} has no lease`)
    const datasets: readonly Dataset[] = DATASET_GROUPS[group]
    // A change under way may have put files in place that the manifest doesn't know yet.
    if (!dryRun) await removeOrphans(context, { siteIds: [site.id], datasets })
    staging = await openStaging(lakeDir, site.id, first.token)
    return await work(beginChange(context, options, { leases, token: first.token, staging, datasets }))
  } catch (error) {
    isUncertain = isUncertainCommit(error)
    throw toStorageError(findLoss(leases) ?? error, `The data directory (${join(lakeDir, '..')})`)
  } finally {
    await cleanUp(context, leases, isUncertain ? undefined : staging)
  }
}

/** `add` keeps those apart who add files, `replace` those who remove some. Taken in this order by all, so that nobody waits in a circle. */
const LEASES: Readonly<Record<ChangeKind, readonly ('replace' | 'add')[]>> = {
  import_answers: ['add'],
  import_logs: ['add'],
  import_sentiment: ['replace', 'add'],
  compaction: ['replace'],
  rederive: ['replace', 'add'],
  repair: ['replace', 'add'],
  replace_answers: ['replace', 'add'],
  undo: ['replace', 'add'],
  delete_answers: ['replace', 'add'],
  delete_logs: ['replace', 'add'],
  retention: ['replace', 'add'],
}

interface Begun {
  readonly leases: readonly Lease[]
  readonly token: string
  readonly staging: Staging
  readonly datasets: readonly Dataset[]
}

function beginChange(
  { catalog }: ChangeContext,
  { site, kind, signal }: ChangeOptions,
  { leases, token, staging, datasets }: Begun,
): Change {
  // The pin comes first: files that are live after it are not collected until it is taken back.
  catalog.manifest.pin(token, catalog.manifest.currentSnapshot())
  const files = catalog.read(() => {
    // A site that was deleted meanwhile has no files, in which nothing would be found to change.
    if (!catalog.sites.find(site.id))
      throw new CommandError(`The site ${site.id} was deleted meanwhile. Nothing was changed.`)
    return catalog.manifest
      .listFiles(site.id, catalog.manifest.currentSnapshot(site.id))
      .filter((file) => datasets.includes(file.dataset))
  })
  return {
    staging,
    files,
    filesWithout: (removed) => [
      ...files.filter(({ fileId }) => !removed.has(fileId)),
      ...staging.files.map((file) => staging.where(file)),
    ],
    async commit(within, remove = []) {
      signal?.throwIfAborted()
      const add = await staging.publish()
      return catalog.manifest.commit({ kind, siteId: site.id, add, remove }, (committed) => {
        for (const lease of leases) lease.assertHeld()
        within(committed)
      })
    },
  }
}

/** The reason when a lease was lost: its former holder finds its files gone, and would tell of that instead. */
export function findLoss(leases: readonly Lease[]): CommandError | undefined {
  try {
    for (const lease of leases) lease.assertHeld()
    return undefined
  } catch (error) {
    return error instanceof CommandError ? error : undefined
  }
}

/**
 * A commit whose sync failed is not there for this process, but a power cut may bring it back from the catalog's log. Its
 * files stay then: the next change overwrites that part of the log, and only then clears them away.
 */
function isUncertainCommit(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_IOERR')
}

/** What can't be removed now, on a disk that fails, is an orphan for the next change; the work's own outcome stands. */
async function cleanUp(
  { catalog }: ChangeContext,
  leases: readonly Lease[],
  staging: Staging | undefined,
): Promise<void> {
  try {
    // Even a commit that reported an error is asked about: what the manifest knows must stay.
    await staging?.discard(() => catalog.manifest.allKnownPaths())
  } catch {
    // Left to the next change.
  }
  if (leases[0]) catalog.manifest.unpin(leases[0].token)
  for (const lease of leases) lease.release()
}
