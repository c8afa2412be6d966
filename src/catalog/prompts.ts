import { toTimestamp } from '../clock.ts'
import type { Category, PromptStatus } from '../domain/enums.ts'
import { toPromptText, type Prompt } from '../domain/prompt.ts'
import { ApiError, CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { BrandTable } from './brands.ts'
import { parseId, toMarket, toText } from './operator-input.ts'
import { WriteConflictError } from './write-conflict.ts'
import { describeCap, openPromptCap, type PromptUsage } from './prompt-cap.ts'
import { openPromptChanges, type PromptChanges } from './prompt-changes.ts'
import { PROMPT_COLUMNS, toPrompt, toPromptRow, type PromptRow } from './prompt-rows.ts'
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

/** A prompt whose number an import has reserved (`sites.reserve`). */
export interface ReservedPrompt extends NewPrompt {
  readonly promptNo: number
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

/** Both in the order given. */
export interface PromptCreation {
  readonly created: readonly Prompt[]
  readonly existing: readonly Prompt[]
}

export interface Prompts extends PromptChanges {
  /**
   * Adds prompts, all or none, in the order given. A text that the site already has is a CommandError, or with
   * `existing: 'keep'` stays as it is. So are an id that is taken, and active prompts beyond the plan's cap.
   */
  add(
    siteId: string,
    given: readonly NewPrompt[],
    options?: { existing?: 'refuse' | 'keep' },
  ): { added: readonly Prompt[]; existing: readonly Prompt[] }
  /**
   * Adds prompts as the API does (contract/api 7.1): texts that the site has already are left as they are. More active prompts
   * than the organization's cap are the ApiError `prompt_limit_reached`. A dry run writes nothing; what it gives in
   * `created` has neither number, id nor times.
   */
  create(siteId: string, given: readonly NewPrompt[], options?: { dryRun?: boolean }): PromptCreation
  /**
   * Creates prompts inside an import's commit. A text that was added meanwhile is a WriteConflictError: the import's files name the
   * prompt by a number that it will not have. An id that is taken and active ones beyond the cap are CommandErrors.
   */
  createReserved(siteId: string, given: readonly ReservedPrompt[]): readonly Prompt[]
  /** Oldest first, by (created_at, id). */
  list(siteId: string, query?: PromptQuery): PromptPage
  /** Those of the ids that are prompts of the site, in the order of the ids. */
  listByIds(siteId: string, ids: readonly string[]): readonly Prompt[]
  /** Whether a prompt of any site has the id. */
  hasId(id: string): boolean
  /** By exact text, compared after NFC and trimming. */
  findByText(siteId: string, text: string): Prompt | undefined
  /** How many more prompts of the organization may become active. */
  usage(organizationId: string): PromptUsage
}

export function openPrompts(store: Store, sites: Sites, brands: BrandTable): Prompts {
  const { db } = store
  const insert = db.prepare<[PromptRow]>(`
    INSERT INTO prompts (${PROMPT_COLUMNS})
    VALUES (@id, @site_id, @prompt_no, @text, @category, @market, @status, @created_at, @updated_at)`)
  const selectById = db.prepare<[string], PromptRow>(`SELECT ${PROMPT_COLUMNS} FROM prompts WHERE id = ?`)
  const selectByText = db.prepare<[string, string], PromptRow>(
    `SELECT ${PROMPT_COLUMNS} FROM prompts WHERE site_id = ? AND text = ?`,
  )
  const passes = `
    site_id = @siteId AND (@status IS NULL OR status = @status) AND (@category IS NULL OR category = @category)`
  const selectPage = db.prepare<[object], PromptRow>(`
    SELECT ${PROMPT_COLUMNS} FROM prompts
    WHERE ${passes} AND (created_at, id) > (@createdAt, @id)
    ORDER BY created_at, id
    LIMIT @limit`)
  const countAll = db.prepare<[object], number>(`SELECT count(*) FROM prompts WHERE ${passes}`).pluck()
  const selectNewest = db
    .prepare<[string], string | null>('SELECT max(created_at) FROM prompts WHERE site_id = ?')
    .pluck()
  const usage = openPromptCap(store)

  const findByText = (siteId: string, text: string) => {
    const row = store.read(() => selectByText.get(siteId, toPromptText(text)))
    return row && toPrompt(row)
  }

  const list = (siteId: string, { status, category, after, limit }: PromptQuery = {}): PromptPage =>
    store.read(() => {
      const filter = { siteId, status: status ?? null, category: category ?? null }
      const position = { createdAt: after?.createdAt ?? '', id: after?.id ?? '' }
      const rows = selectPage.all({ ...filter, ...position, limit: limit === undefined ? -1 : limit + 1 })
      const prompts = rows.slice(0, limit).map(toPrompt)
      const last = prompts.at(-1)
      const next = last && rows.length > prompts.length ? { createdAt: last.createdAt, id: last.id } : null
      return { prompts, total: countAll.get(filter) ?? 0, next }
    })

  function addAll(siteId: string, given: readonly ReservedPrompt[]): Prompt[] {
    const activating = given.filter((prompt) => prompt.status !== 'disabled').length
    const { organizationId } = sites.get(siteId)
    const allowed = usage(organizationId)
    if (activating > allowed.free) {
      const advice = `Add them as disabled, disable others, or raise the cap: \`answerlake orgs set ${organizationId} --prompt-limit N\`.`
      throw new CommandError(`${describeCap(allowed, activating)} ${advice}`)
    }
    const createdAt = toCreationTime(siteId)
    const ids = toIds(given)
    return given.map((prompt, index) => {
      const added = toAdded(siteId, prompt, { id: ids[index] ?? '', createdAt })
      if (selectById.get(added.id)) throw new CommandError(`The id "${added.id}" is taken by another prompt.`)
      insert.run(toPromptRow(added))
      return added
    })
  }

  function create(siteId: string, given: readonly NewPrompt[], dryRun: boolean): PromptCreation {
    const found = given.map((prompt) => ({ prompt, existing: findByText(siteId, prompt.text) }))
    const fresh = found.flatMap(({ prompt, existing }) => (existing ? [] : [prompt]))
    const existing = found.flatMap((entry) => entry.existing ?? [])
    const allowed = usage(sites.get(siteId).organizationId)
    if (fresh.length > allowed.free) throw new ApiError('prompt_limit_reached', describeCap(allowed, fresh.length))
    const { firstPromptNo } = dryRun ? { firstPromptNo: 0 } : sites.reserve(siteId, { prompts: fresh.length })
    const numbered = fresh.map((prompt, index) => ({ ...prompt, promptNo: firstPromptNo + index }))
    return {
      created: dryRun
        ? numbered.map((prompt) => toAdded(siteId, prompt, { id: '', createdAt: '' }))
        : addAll(siteId, numbered),
      existing,
    }
  }

  /** Never before the site's newest prompt, so that a clock set back puts nothing into a page already read. */
  function toCreationTime(siteId: string): string {
    const now = toTimestamp(store.clock.now())
    const newest = selectNewest.get(siteId) ?? now
    return newest > now ? newest : now
  }

  /** Made ids are handed out in ascending order: prompts of one call are created in the same millisecond and sort by id. */
  function toIds(given: readonly NewPrompt[]): string[] {
    const made = given
      .filter(({ id }) => id === undefined)
      .map(() => newId('prm', store.clock.now(), store.random))
      .sort()
      .values()
    return given.map(({ id }) => (id === undefined ? (made.next().value ?? '') : parseId(id)))
  }

  return {
    ...openPromptChanges(store, { sites, brands, usage }),
    add: (siteId, given, { existing: onExisting = 'refuse' } = {}) =>
      store.write(() => {
        const fresh = new Map<string, NewPrompt>()
        const existing = new Map<string, Prompt>()
        for (const prompt of given) {
          const text = toText(prompt.text)
          const found = findByText(siteId, text)
          const isSame = prompt.id === undefined || prompt.id === (found ?? fresh.get(text))?.id
          if ((found || fresh.has(text)) && (onExisting === 'refuse' || !isSame)) {
            throw new CommandError(`The site already has the prompt "${text}"${found ? `, as ${found.id}` : ''}.`)
          }
          if (found) existing.set(found.id, found)
          else if (!fresh.has(text)) fresh.set(text, prompt)
        }
        const { firstPromptNo } = sites.reserve(siteId, { prompts: fresh.size })
        const numbered = [...fresh.values()].map((prompt, index) =>
          Object.assign({ promptNo: firstPromptNo + index }, prompt),
        )
        return { added: addAll(siteId, numbered), existing: [...existing.values()] }
      }),
    create: (siteId, given, { dryRun = false } = {}) =>
      dryRun ? store.read(() => create(siteId, given, true)) : store.write(() => create(siteId, given, false)),
    createReserved: (siteId, given) =>
      store.write(() => {
        const taken = given.find(({ text }) => findByText(siteId, text))
        if (taken)
          throw new WriteConflictError(`The prompt "${taken.text}" was added by another process during the import.`)
        return addAll(siteId, given)
      }),
    list,
    listByIds: (siteId, ids) =>
      store
        .read(() => ids.flatMap((id) => selectById.get(id) ?? []))
        .filter((row) => row.site_id === siteId)
        .map(toPrompt),
    hasId: (id) => store.read(() => selectById.get(id)) !== undefined,
    findByText,
    usage,
  }
}

function toAdded(siteId: string, prompt: ReservedPrompt, { id, createdAt }: { id: string; createdAt: string }): Prompt {
  return {
    id,
    siteId,
    promptNo: prompt.promptNo,
    text: toText(prompt.text),
    category: prompt.category,
    market: toMarket(prompt.market ?? null),
    status: prompt.status ?? 'active',
    createdAt,
    updatedAt: createdAt,
  }
}
