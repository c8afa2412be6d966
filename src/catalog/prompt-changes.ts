import { toTimestamp } from '../clock.ts'
import type { Category, PromptStatus } from '../domain/enums.ts'
import type { Prompt } from '../domain/prompt.ts'
import { ApiError } from '../errors.ts'
import type { BrandTable } from './brands.ts'
import { describeCap, type PromptUsage } from './prompt-cap.ts'
import { PROMPT_COLUMNS, toPrompt, toPromptRow, type PromptRow } from './prompt-rows.ts'
import type { Sites } from './sites.ts'
import type { Store } from './store.ts'

/** A change of one prompt: what is absent stays, a null market means the site's. */
export interface PromptChange {
  readonly id: string
  readonly category?: Category | undefined
  readonly market?: string | null | undefined
}

export interface PromptUpdate {
  /** In request order, as they are after the change or, in a dry run, as they would be with `updatedAt` unchanged. */
  readonly prompts: readonly Prompt[]
  /** Ids that are no prompts of the site; the rest applies. */
  readonly notFound: readonly string[]
}

/** Ids in request order, each once. */
export interface StatusChange {
  readonly changed: readonly string[]
  readonly unchanged: readonly string[]
  readonly notFound: readonly string[]
}

/** The two changes that the API makes (contract/api 7 and 12.3), each one transaction; a dry run writes nothing. */
export interface PromptChanges {
  update(siteId: string, changes: readonly PromptChange[], options?: { dryRun?: boolean }): PromptUpdate
  /** More active prompts than the organization's cap are the ApiError `prompt_limit_reached`, in a dry run too. */
  setStatus(siteId: string, ids: readonly string[], status: PromptStatus, options?: { dryRun?: boolean }): StatusChange
}

export function openPromptChanges(
  store: Store,
  { sites, brands, usage }: { sites: Sites; brands: BrandTable; usage: (organizationId: string) => PromptUsage },
): PromptChanges {
  const select = store.db.prepare<[string, string], PromptRow>(
    `SELECT ${PROMPT_COLUMNS} FROM prompts WHERE site_id = ? AND id = ?`,
  )
  const write = store.db.prepare<[PromptRow]>(`
    UPDATE prompts SET category = @category, market = @market, status = @status, updated_at = @updated_at
    WHERE id = @id`)
  const find = (siteId: string, id: string): Prompt | undefined => {
    const row = select.get(siteId, id)
    return row && toPrompt(row)
  }

  function update(siteId: string, changes: readonly PromptChange[], dryRun: boolean): PromptUpdate {
    const prompts: Prompt[] = []
    const notFound: string[] = []
    const updatedAt = toTimestamp(store.clock.now())
    let isRecategorized = false
    for (const { id, category, market } of changes) {
      const before = find(siteId, id)
      if (!before) {
        notFound.push(id)
        continue
      }
      const after = {
        ...before,
        category: category ?? before.category,
        market: market === undefined ? before.market : market,
      }
      const isChanged = after.category !== before.category || after.market !== before.market
      isRecategorized ||= after.category !== before.category
      if (isChanged && !dryRun) {
        after.updatedAt = updatedAt
        write.run(toPromptRow(after))
      }
      prompts.push(after)
    }
    if (isRecategorized && !dryRun) brands.bumpRev(siteId)
    return { prompts, notFound }
  }

  function setStatus(siteId: string, ids: readonly string[], status: PromptStatus, dryRun: boolean): StatusChange {
    const asked = [...new Set(ids)].map((id) => ({ id, prompt: find(siteId, id) }))
    const changing = asked.flatMap(({ prompt }) => (prompt && prompt.status !== status ? [prompt] : []))
    if (status === 'active' && changing.length > 0) {
      const allowed = usage(sites.get(siteId).organizationId)
      if (changing.length > allowed.free) {
        throw new ApiError('prompt_limit_reached', describeCap(allowed, changing.length))
      }
    }
    const updatedAt = toTimestamp(store.clock.now())
    for (const prompt of dryRun ? [] : changing) write.run(toPromptRow({ ...prompt, status, updatedAt }))
    return {
      changed: changing.map(({ id }) => id),
      unchanged: asked.filter(({ prompt }) => prompt?.status === status).map(({ id }) => id),
      notFound: asked.filter(({ prompt }) => !prompt).map(({ id }) => id),
    }
  }

  return {
    update: (siteId, changes, { dryRun = false } = {}) =>
      dryRun ? store.read(() => update(siteId, changes, true)) : store.write(() => update(siteId, changes, false)),
    setStatus: (siteId, ids, status, { dryRun = false } = {}) =>
      dryRun
        ? store.read(() => setStatus(siteId, ids, status, true))
        : store.write(() => setStatus(siteId, ids, status, false)),
  }
}
