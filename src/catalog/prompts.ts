import { toTimestamp } from '../clock.ts'
import type { Category, PromptStatus } from '../domain/enums.ts'
import { toPromptText, type Prompt } from '../domain/prompt.ts'
import { ApiError, CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { PROMPT_CHARACTERS_MAX } from '../limits.ts'
import type { BrandTable } from './brands.ts'
import { toGivenId, toMarket } from './given.ts'
import { LostRaceError } from './lost-race.ts'
import type { Sites } from './sites.ts'
import type { Store } from './store.ts'

export interface NewPrompt {
  readonly id?: string | undefined
  readonly text: string
  readonly category: Category
  readonly market?: string | null | undefined
  /** Default `active`. */
  readonly status?: PromptStatus | undefined
}

/** A change of one prompt: what is absent stays, a null market means the site's. */
export interface PromptChange {
  readonly id: string
  readonly category?: Category | undefined
  readonly market?: string | null | undefined
}

/** Where a page of the list ended. */
export interface PromptPosition {
  readonly createdAt: string
  readonly id: string
}

export interface PromptQuery {
  readonly status?: PromptStatus | undefined
  readonly category?: Category | undefined
  readonly after?: PromptPosition | undefined
  /** Rows of a page; absent: all. */
  readonly limit?: number | undefined
}

export interface PromptPage {
  readonly prompts: readonly Prompt[]
  /** Rows that pass the filter, on all pages. */
  readonly total: number
  /** Position to go on from; null on the last page. */
  readonly next: PromptPosition | null
}

export interface Prompts {
  /**
   * Adds prompts, all or none, in one transaction. A text that the site already has is a CommandError, or with
   * `existing: 'keep'` left as it is. An id that is taken, and active prompts beyond the plan's cap, are CommandErrors.
   */
  add(
    siteId: string,
    given: readonly NewPrompt[],
    options?: { existing?: 'refuse' | 'keep' },
  ): { added: Prompt[]; existing: Prompt[] }
  /**
   * Creates prompts with reserved numbers (`sites.reserve`) inside an import's commit. A text that was added meanwhile is a
   * LostRaceError, active ones beyond the cap a CommandError.
   */
  createReserved(siteId: string, given: readonly (NewPrompt & { readonly promptNo: number })[]): Prompt[]
  /** Oldest first: by (created_at, id). */
  list(siteId: string, query?: PromptQuery): PromptPage
  /** Those of the ids that are prompts of the site. */
  listByIds(siteId: string, ids: readonly string[]): Prompt[]
  /** By exact text, compared after NFC and trimming. */
  findByText(siteId: string, text: string): Prompt | undefined
  /** PATCH …/prompts (spec.md 4.3, decisions.md 7): `prompts` in request order as they are after the change, or would be. */
  update(
    siteId: string,
    changes: readonly PromptChange[],
    options?: { dryRun?: boolean },
  ): { prompts: Prompt[]; notFound: string[] }
  /**
   * PATCH …/prompts/status (spec.md 3.1): ids in request order, each once. Active prompts beyond the organization's cap are
   * the ApiError `prompt_limit_reached`, in a dry run too, and nothing is written.
   */
  setStatus(
    siteId: string,
    ids: readonly string[],
    status: PromptStatus,
    options?: { dryRun?: boolean },
  ): { changed: string[]; unchanged: string[]; notFound: string[] }
  /** Active prompts of all sites of the organization, which the cap counts, and the cap. */
  usage(organizationId: string): { active: number; limit: number }
}

interface PromptRow {
  readonly id: string
  readonly site_id: string
  readonly prompt_no: number
  readonly text: string
  readonly category: Category
  readonly market: string | null
  readonly status: PromptStatus
  readonly created_at: string
  readonly updated_at: string
}

const COLUMNS = 'id, site_id, prompt_no, text, category, market, status, created_at, updated_at'

export function openPrompts(store: Store, sites: Sites, brands: BrandTable): Prompts {
  const { db } = store
  const insert = db.prepare<[PromptRow]>(`
    INSERT INTO prompts (${COLUMNS})
    VALUES (@id, @site_id, @prompt_no, @text, @category, @market, @status, @created_at, @updated_at)`)
  const change = db.prepare<[PromptRow]>(`
    UPDATE prompts SET category = @category, market = @market, status = @status, updated_at = @updated_at WHERE id = @id`)
  const selectById = db.prepare<[string], PromptRow>(`SELECT ${COLUMNS} FROM prompts WHERE id = ?`)
  const selectByText = db.prepare<[string, string], PromptRow>(
    `SELECT ${COLUMNS} FROM prompts WHERE site_id = ? AND text = ?`,
  )
  const passes = `site_id = @siteId AND (@status IS NULL OR status = @status) AND (@category IS NULL OR category = @category)`
  const selectPage = db.prepare<[object], PromptRow>(`
    SELECT ${COLUMNS} FROM prompts
    WHERE ${passes} AND (created_at, id) > (@createdAt, @id)
    ORDER BY created_at, id
    LIMIT @limit`)
  const countAll = db.prepare<[object], number>(`SELECT count(*) FROM prompts WHERE ${passes}`).pluck()
  const selectNewest = db.prepare<[string], string>('SELECT max(created_at) FROM prompts WHERE site_id = ?').pluck()
  const selectUsage = db.prepare<[string], { active: number; limit: number }>(`
    SELECT prompt_limit AS "limit",
      (SELECT count(*) FROM sites JOIN prompts ON prompts.site_id = sites.id AND status = 'active'
       WHERE sites.organization_id = organizations.id) AS active
    FROM organizations WHERE id = ?`)

  const usage = (organizationId: string) => {
    const found = store.read(() => selectUsage.get(organizationId))
    if (!found) throw new CommandError(`There is no organization "${organizationId}".`)
    return found
  }
  const findByText = (siteId: string, text: string) => {
    const row = store.read(() => selectByText.get(siteId, toPromptText(text)))
    return row && toPrompt(row)
  }
  const listByIds = (siteId: string, ids: readonly string[]): Prompt[] =>
    store.read(() =>
      ids
        .flatMap((id) => selectById.get(id) ?? [])
        .filter((row) => row.site_id === siteId)
        .map(toPrompt),
    )

  /** Never older than the site's newest, so that a clock set back puts nothing before a page already read. */
  const creationTime = (siteId: string): string => {
    const now = toTimestamp(store.clock.now())
    const newest = selectNewest.get(siteId) ?? now
    return newest > now ? newest : now
  }
  /** Made ids in ascending order, so that prompts of one call keep their order. */
  const toIds = (given: readonly NewPrompt[]): string[] => {
    const made = given
      .filter((prompt) => prompt.id === undefined)
      .map(() => newId('prm', store.clock.now(), store.random))
      .sort()
      .values()
    return given.map((prompt) => (prompt.id === undefined ? (made.next().value ?? '') : toGivenId(prompt.id)))
  }
  const insertAll = (siteId: string, given: readonly (NewPrompt & { readonly promptNo: number })[]): Prompt[] => {
    const adding = given.filter((prompt) => prompt.status !== 'disabled').length
    const { active, limit } = usage(sites.get(siteId).organizationId)
    if (adding > 0 && active + adding > limit)
      throw new CommandError(describeCap({ active, limit, adding }) + RAISE_CAP)
    const createdAt = creationTime(siteId)
    const ids = toIds(given)
    return given.map((prompt, index) => {
      const id = ids[index] ?? ''
      if (selectById.get(id)) throw new CommandError(`The id "${id}" is taken by another prompt.`)
      const row: PromptRow = {
        id,
        site_id: siteId,
        prompt_no: prompt.promptNo,
        text: toCheckedText(prompt.text),
        category: prompt.category,
        market: toMarket(prompt.market ?? null),
        status: prompt.status ?? 'active',
        created_at: createdAt,
        updated_at: createdAt,
      }
      insert.run(row)
      return toPrompt(row)
    })
  }

  return {
    add: (siteId, given, { existing: onExisting = 'refuse' } = {}) =>
      store.write(() => {
        const fresh = new Map<string, NewPrompt>()
        const existing: Prompt[] = []
        for (const prompt of given) {
          const text = toCheckedText(prompt.text)
          const found = findByText(siteId, text)
          if (onExisting === 'refuse' && (found || fresh.has(text))) {
            throw new CommandError(`The site already has the prompt "${text}"${found ? ` (${found.id})` : ''}.`)
          }
          if (found) existing.push(found)
          else if (!fresh.has(text)) fresh.set(text, prompt)
        }
        const { firstPromptNo } = sites.reserve(siteId, { prompts: fresh.size })
        const numbered = [...fresh.values()].map((prompt, index) => ({ ...prompt, promptNo: firstPromptNo + index }))
        return { added: insertAll(siteId, numbered), existing }
      }),
    createReserved: (siteId, given) =>
      store.write(() => {
        const taken = given.find((prompt) => findByText(siteId, prompt.text))
        if (taken) throw new LostRaceError(`The prompt "${taken.text}" was added by another process during the import.`)
        return insertAll(siteId, given)
      }),
    list: (siteId, { status, category, after, limit } = {}) =>
      store.read(() => {
        const filter = { siteId, status: status ?? null, category: category ?? null }
        const position = { createdAt: after?.createdAt ?? '', id: after?.id ?? '' }
        const rows = selectPage.all({ ...filter, ...position, limit: limit === undefined ? -1 : limit + 1 })
        const prompts = rows.slice(0, limit).map(toPrompt)
        const last = prompts.at(-1)
        const next = last && rows.length > prompts.length ? { createdAt: last.createdAt, id: last.id } : null
        return { prompts, total: countAll.get(filter) ?? 0, next }
      }),
    listByIds,
    findByText,
    update: (siteId, changes, { dryRun = false } = {}) => {
      const work = () => {
        const prompts: Prompt[] = []
        const notFound: string[] = []
        let changesReports = false
        for (const { id, category, market } of changes) {
          const [before] = listByIds(siteId, [id])
          if (!before) {
            notFound.push(id)
            continue
          }
          const after: Prompt = {
            ...before,
            category: category ?? before.category,
            market: market === undefined ? before.market : market,
          }
          const isChanged = after.category !== before.category || after.market !== before.market
          const kept = isChanged && !dryRun ? { ...after, updatedAt: toTimestamp(store.clock.now()) } : after
          if (isChanged && !dryRun) change.run(toRow(kept))
          changesReports ||= after.category !== before.category
          prompts.push(kept)
        }
        if (changesReports && !dryRun) brands.bumpRev(siteId)
        return { prompts, notFound }
      }
      return dryRun ? store.read(work) : store.write(work)
    },
    setStatus: (siteId, ids, status, { dryRun = false } = {}) => {
      const work = () => {
        const asked = [...new Set(ids)]
        const found = new Map(listByIds(siteId, asked).map((prompt) => [prompt.id, prompt]))
        const differs = (id: string) => found.get(id)?.status !== status
        const changed = asked.filter((id) => found.has(id) && differs(id))
        if (status === 'active' && changed.length > 0) {
          const { active, limit } = usage(sites.get(siteId).organizationId)
          if (active + changed.length > limit) {
            throw new ApiError('prompt_limit_reached', describeCap({ active, limit, adding: changed.length }))
          }
        }
        const updatedAt = toTimestamp(store.clock.now())
        for (const id of dryRun ? [] : changed) {
          const prompt = found.get(id)
          if (prompt) change.run(toRow({ ...prompt, status, updatedAt }))
        }
        return {
          changed,
          unchanged: asked.filter((id) => found.has(id) && !differs(id)),
          notFound: asked.filter((id) => !found.has(id)),
        }
      }
      return dryRun ? store.read(work) : store.write(work)
    },
    usage,
  }
}

const RAISE_CAP =
  ' Disable some, add them as disabled, or raise the cap with `answerlake orgs set ORG_ID --prompt-limit N`.'

function describeCap({ active, limit, adding }: { active: number; limit: number; adding: number }): string {
  return `The plan allows ${limit} active prompts; ${active} are active and this would add ${adding}. Nothing was changed.`
}

function toCheckedText(given: string): string {
  const text = toPromptText(given)
  if (text === '') throw new CommandError('The text of a prompt cannot be empty.')
  if (text.length > PROMPT_CHARACTERS_MAX) {
    throw new CommandError(
      `The text of a prompt has at most ${PROMPT_CHARACTERS_MAX} characters; this one has ${text.length}.`,
    )
  }
  return text
}

function toPrompt(row: PromptRow): Prompt {
  return {
    id: row.id,
    siteId: row.site_id,
    promptNo: row.prompt_no,
    text: row.text,
    category: row.category,
    market: row.market,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow(prompt: Prompt): PromptRow {
  return {
    id: prompt.id,
    site_id: prompt.siteId,
    prompt_no: prompt.promptNo,
    text: prompt.text,
    category: prompt.category,
    market: prompt.market,
    status: prompt.status,
    created_at: prompt.createdAt,
    updated_at: prompt.updatedAt,
  }
}
