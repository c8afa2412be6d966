import { type Change, type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { Dataset, LakeFile, PartitionMonth } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { deriveStored } from '../import-answers/derive-answer.ts'
import { openSiteBrands, type SiteBrands } from '../import-answers/site-brands.ts'
import { repairAnswers } from '../lake/maintain/answer-repair.ts'
import { findDamage } from '../lake/checksums/file-damage.ts'
import { rederiveMonth } from '../lake/maintain/answer-rederivation.ts'
import type { GroupOutcome, GroupRepair } from './group-repair.ts'
import { readScanWithout } from '../change/newest-scan.ts'

/** What is given up of the answers' data sets is taken out of its sisters, derived again, or numbered anew. */
export async function repairAnswerFiles(
  context: ChangeContext,
  { site, isDropped, options }: GroupRepair,
): Promise<GroupOutcome> {
  const { isDryRun, signal, onWait } = options
  return changeLake(
    context,
    { site, group: 'answers', kind: 'repair', ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) },
    async (change) => {
      const repair = new AnswersRepair(context, change, site.id, { isDropped, isDryRun })
      await repair.ensureRestIsSound()
      const lost = await repair.takeOutLost(options.keepsAnswers)
      const rebuilt = await repair.deriveAgain(signal)
      if (isDryRun) return { lost, rebuilt, snapshot: null }
      return { lost, rebuilt, snapshot: await repair.commit() }
    },
  )
}

const DERIVED: ReadonlySet<Dataset> = new Set(['mentions', 'citations'])
const DICTIONARIES: ReadonlySet<Dataset> = new Set(['hosts', 'pages'])

/** One repair under way: the site's files as they are about to be, and what has to be removed for it. */
class AnswersRepair {
  readonly #context: ChangeContext
  readonly #change: Change
  readonly #siteId: string
  readonly #dropped: readonly LakeFile[]
  readonly #removed = new Set<string>()
  readonly #brands: SiteBrands
  #counters: { host_no: number; page_no: number }

  constructor(
    context: ChangeContext,
    change: Change,
    siteId: string,
    { isDropped, isDryRun }: { isDropped: (file: LakeFile) => boolean; isDryRun: boolean },
  ) {
    this.#context = context
    this.#change = change
    this.#siteId = siteId
    this.#dropped = change.files.filter(isDropped)
    for (const { fileId } of this.#dropped) this.#removed.add(fileId)
    const { sites } = context.catalog
    this.#brands = openSiteBrands(context.catalog, sites.get(siteId), {
      dryRun: isDryRun,
      discoverMin: Number.POSITIVE_INFINITY,
    })
    this.#counters = { host_no: sites.counter(siteId, 'host_no', 1), page_no: sites.counter(siteId, 'page_no', 1) }
  }

  /** Rows may not be copied out of a file that isn't what was written. */
  async ensureRestIsSound(): Promise<void> {
    const needsAll = this.#hasDropped(DICTIONARIES)
    const months = new Set(this.#dropped.map(({ month }) => month))
    for (const file of this.#files()) {
      if (!needsAll && !months.has(file.month) && !DICTIONARIES.has(file.dataset)) continue
      const damage = await findDamage(this.#context.lakeDir, file)
      if (damage) {
        throw new CommandError(
          `${file.path} is needed for this, and ${damage.what}. Drop it in the same call, with a further --drop.`,
        )
      }
    }
  }

  /** Takes what belonged to lost answers, and answers whose sources are lost, out of the files of the same month. */
  async takeOutLost(keepsAnswers: boolean): Promise<GroupOutcome['lost']> {
    const lost: { dataset: Dataset; month: PartitionMonth; rows: number }[] = []
    const losesNames = this.#hasDropped(DICTIONARIES)
    const ofMonths = this.#dropped.filter(({ dataset }) => !DICTIONARIES.has(dataset))
    const concerned = losesNames
      ? [...ofMonths, ...this.#files().filter(({ dataset }) => dataset === 'answers')]
      : ofMonths
    for (const month of new Set(concerned.map((file) => file.month))) {
      const repaired = await repairAnswers({
        staging: this.#change.staging,
        lakeDir: this.#context.lakeDir,
        month,
        files: this.#files().filter((file) => file.month === month),
        dropped: ofMonths.filter((file) => file.month === month),
        keepsAnswers,
        losesNames,
      })
      for (const file of repaired.replaced) await this.#remove(file)
      lost.push(...repaired.lost.map(({ dataset, rows }) => ({ dataset, month, rows })))
    }
    return lost
  }

  /** Mentions come from the answers' texts; lost dictionaries from the links themselves, under new numbers. */
  async deriveAgain(signal: AbortSignal | undefined): Promise<GroupOutcome['rebuilt']> {
    const isNumberedAnew = this.#hasDropped(DICTIONARIES)
    if (isNumberedAnew) {
      for (const file of this.#files().filter(({ dataset }) => DICTIONARIES.has(dataset))) await this.#remove(file)
    }
    const months = new Set(
      (isNumberedAnew ? this.#files() : this.#dropped.filter(({ dataset }) => dataset === 'mentions'))
        .filter(({ dataset }) => !DICTIONARIES.has(dataset))
        .map(({ month }) => month),
    )
    for (const month of [...months].sort()) await this.#deriveMonth(month, signal)
    const rebuilt: { dataset: Dataset; month: PartitionMonth }[] = [...months]
      .sort()
      .map((month) => ({ dataset: 'mentions', month }))
    return isNumberedAnew ? [...[...DICTIONARIES].map((dataset) => ({ dataset, month: 'all' })), ...rebuilt] : rebuilt
  }

  async #deriveMonth(month: PartitionMonth, signal: AbortSignal | undefined): Promise<void> {
    const { staging } = this.#change
    const before = this.#files()
    const { counters } = await rederiveMonth({
      staging,
      lakeDir: this.#context.lakeDir,
      liveFiles: before,
      counters: this.#counters,
      month,
      derive: (answer) => deriveStored(answer, this.#brands),
      ...(signal ? { signal } : {}),
    })
    this.#counters = counters
    for (const file of before) if (file.month === month && DERIVED.has(file.dataset)) await this.#remove(file)
  }

  async commit(): Promise<number> {
    const { catalog } = this.#context
    const scan = await readScanWithout(this.#context, this.#change, this.#removed)
    return this.#change.commit(() => {
      catalog.competitors.createDiscovered(this.#siteId, this.#brands.settle().discovered)
      for (const [name, next] of Object.entries(this.#counters)) catalog.sites.setCounter(this.#siteId, name, next)
      catalog.scans.replace(this.#siteId, scan)
    }, [...this.#removed])
  }

  /** The site's files as this repair leaves them so far. */
  #files(): LakeFile[] {
    return this.#change.filesWithout(this.#removed)
  }

  async #remove(file: LakeFile): Promise<void> {
    if (this.#change.staging.files.some(({ fileId }) => fileId === file.fileId)) {
      await this.#change.staging.drop(file.fileId)
    } else this.#removed.add(file.fileId)
  }

  #hasDropped(datasets: ReadonlySet<Dataset>): boolean {
    return this.#dropped.some(({ dataset }) => datasets.has(dataset))
  }
}
