import type { Schemas } from '../../../client/client.ts'
import { change, Refusal } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { PROMPT_CHANGES_MAX, STATUS_CHANGE_IDS_MAX } from '../../bounds.ts'
import { toCount, toCountOf } from '../../format.ts'
import { toast } from '../../parts/toast.tsx'
import { forgetReplies } from '../../use-reply.ts'
import type { NewPrompt } from './new-prompts.ts'
import { toChunks } from './table.ts'

type Site = Schemas['Site']

/** Switches prompts on or off, and says so. Throws Refusal. */
export async function setStatus(site: Site, ids: readonly string[], status: Schemas['PromptStatus']): Promise<void> {
  let changed = 0
  try {
    for (const prompt_ids of toChunks(ids, STATUS_CHANGE_IDS_MAX)) {
      const reply = await change<{ changed: string[] }>('PATCH', toSitePath(site.id, 'prompts/status'), {
        prompt_ids,
        status,
      })
      changed += reply.changed.length
    }
  } finally {
    forgetReplies()
  }
  toast(`${toCountOf(changed, 'prompt')} switched ${status === 'active' ? 'on' : 'off'}.`)
}

/** What is changed of prompts; what isn't named stays. A null market is the site's own. */
export interface Recategorised {
  readonly category?: Schemas['Category']
  readonly market?: string | null
}

/** Gives prompts another category or market, and says so. Throws Refusal. */
export async function recategorise(site: Site, ids: readonly string[], to: Recategorised): Promise<void> {
  let changed = 0
  try {
    for (const chunk of toChunks(ids, PROMPT_CHANGES_MAX)) {
      const reply = await change<{ data: Schemas['Prompt'][] }>('PATCH', toSitePath(site.id, 'prompts'), {
        prompts: chunk.map((id) => ({ id, ...to })),
      })
      changed += reply.data.length
    }
  } catch (error) {
    throw error instanceof Refusal ? toCommon(error) : error
  } finally {
    forgetReplies()
  }
  toast(`${toCountOf(changed, 'prompt')} changed.`)
}

/** The same refusal of a change that is one for all prompts: what is wrong with it is not of each of them. */
function toCommon({ status, code, message, details }: Refusal): Refusal {
  const common = details.map((one) => ({ ...one, path: one.path.replace(/^prompts\.\d+\.(?=category|market)/, '') }))
  return new Refusal(status, { code, message, details: common })
}

/** What creating prompts did, or would do. */
export interface Creation {
  readonly created: readonly Schemas['CreatedPrompt'][]
  /** Texts that the site has already, switched on or off. */
  readonly existing: readonly Schemas['Prompt'][]
}

/**
 * Creates prompts, or with `isDry` only says what that would do. Throws Refusal, whose details name lines: what was created
 * before stays.
 */
export async function createPrompts(site: Site, prompts: readonly NewPrompt[], isDry: boolean): Promise<Creation> {
  const created: Schemas['CreatedPrompt'][] = []
  const existing: Schemas['Prompt'][] = []
  for (const chunk of toChunks(prompts, PROMPT_CHANGES_MAX)) {
    try {
      const reply = await change<Creation>('POST', toSitePath(site.id, 'prompts'), {
        prompts: chunk.map(({ text, category, market }) => ({
          text,
          category,
          ...(market === null ? {} : { market }),
        })),
        dry_run: isDry,
      })
      created.push(...reply.created)
      existing.push(...reply.existing)
    } catch (error) {
      throw error instanceof Refusal ? toLines(error, chunk, prompts.length, isDry ? 0 : created.length) : error
    }
  }
  return { created, existing }
}

/** The same refusal, with `prompts.3.text` said as the line of the file. */
function toLines(refusal: Refusal, prompts: readonly NewPrompt[], all: number, before: number): Refusal {
  const details = refusal.details.map(({ path, message }) => {
    const [, index, field = ''] = /^prompts\.(\d+)\.?(\w*)/.exec(path) ?? []
    const line = prompts[Number(index)]?.line
    return line === undefined ? { path, message } : { path: '', message: `Line ${line}, ${field}: ${message}` }
  })
  const so = before === 0 ? '' : ` ${toCountOf(before, 'prompt')} before these were added.`
  const of = all > prompts.length ? ` These are ${toCountOf(prompts.length, 'prompt')} of ${toCount(all)}.` : ''
  return new Refusal(refusal.status, { code: refusal.code, message: refusal.message + of + so, details })
}
