import { CommandError } from '../errors.ts'
import type { Store } from './store.ts'

/** How much of an organization's plan its prompts use. */
export interface PromptUsage {
  /** The plan's cap on active prompts. */
  readonly limit: number
  /** Active prompts of all its sites. */
  readonly active: number
  /** How many more may become active; never below 0. */
  readonly free: number
}

/** Reads the usage; inside a write it holds until the write is done, so that the cap is never exceeded. */
export function openPromptCap(store: Store): (organizationId: string) => PromptUsage {
  const select = store.db.prepare<[string], { active: number; limit: number }>(`
    SELECT
      prompt_limit AS "limit",
      (SELECT count(*) FROM sites JOIN prompts ON prompts.site_id = sites.id AND prompts.status = 'active'
       WHERE sites.organization_id = organizations.id) AS active
    FROM organizations WHERE id = ?`)
  return (organizationId) => {
    const found = store.read(() => select.get(organizationId))
    if (!found)
      throw new CommandError(`There is no organization "${organizationId}". \`answerlake orgs list\` shows them.`)
    return { ...found, free: Math.max(0, found.limit - found.active) }
  }
}

/** Says cap, active count and how many the request would add (contract/api 3.3). */
export function describeCap({ limit, active }: PromptUsage, adding: number): string {
  return (
    `The plan allows ${limit} active prompts; ${active} are active and this request would add ${adding}. ` +
    'Nothing was changed.'
  )
}
