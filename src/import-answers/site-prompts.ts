import type { Catalog } from '../catalog/catalog.ts'
import type { AnswerRecord } from '../domain/answer.ts'
import { CATEGORIES, type Category } from '../domain/enums.ts'
import { toPromptText } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'
import { GIVEN_ID } from '../ids.ts'
import { NAME_CHARACTERS_MAX, PROMPT_CHARACTERS_MAX } from '../limits.ts'
import { createNumbers } from './id-sequence.ts'

/** A prompt as an import needs it. */
interface KnownPrompt {
  readonly promptNo: number
  readonly text: string
}

/** A prompt that the import's commit must make. */
export interface NewPrompt {
  readonly id: string | undefined
  readonly promptNo: number
  readonly text: string
  readonly category: Category
  readonly market: string | null
}

/** Finds the prompt of a record, and with `create` takes in unknown ones (`--create-prompts`, contract/imports 2.1). */
export interface SitePrompts {
  find(record: AnswerRecord): KnownPrompt | { readonly reason: string }
  /** The prompts taken in so far. */
  readonly created: readonly NewPrompt[]
}

/** With `dryRun` nothing is reserved in the catalog. `created` is for the commit: `catalog.prompts.createReserved`. */
export function openSitePrompts(
  catalog: Catalog,
  site: Site,
  { create, dryRun }: { create: boolean; dryRun: boolean },
): SitePrompts {
  const byId = new Map<string, KnownPrompt>()
  const byText = new Map<string, KnownPrompt>()
  const created: NewPrompt[] = []
  let highestNo = 0
  for (const prompt of catalog.prompts.list(site.id).prompts) {
    byId.set(prompt.id, prompt)
    byText.set(prompt.text, prompt)
    highestNo = Math.max(highestNo, prompt.promptNo)
  }
  const usage = catalog.prompts.usage(site.organizationId)
  const nextNo = createNumbers(catalog, site.id, 'prompts', { dryRun, highestNo })

  /** What the catalog would refuse at the commit, where one record would stop the whole import. */
  function findFault({ prompt_id: id, market }: AnswerRecord, text: string): string | undefined {
    if (text.length > PROMPT_CHARACTERS_MAX) {
      return `prompt: it has ${text.length} characters; a prompt has at most ${PROMPT_CHARACTERS_MAX}. Shorten it.`
    }
    if ((market?.normalize('NFC').trim().length ?? 0) > NAME_CHARACTERS_MAX) {
      return `market: it has over ${NAME_CHARACTERS_MAX} characters. Shorten it or leave it out.`
    }
    if (id === undefined) return undefined
    if (!GIVEN_ID.test(id)) {
      return `prompt_id: "${shorten(id)}" can't become a prompt's id. Use 1 to 64 of A-Z a-z 0-9 . _ -`
    }
    return catalog.prompts.hasId(id) ? `prompt_id: "${id}" is the id of another site's prompt. Use another.` : undefined
  }

  function take(record: AnswerRecord, text: string): KnownPrompt | { readonly reason: string } {
    const category = CATEGORIES.find((name) => name === (record.category ?? 'Discovery'))
    if (!category) {
      return {
        reason: `category: "${shorten(record.category ?? '')}" is none of ${CATEGORIES.join(', ')}. Correct it or leave it out.`,
      }
    }
    const fault = findFault(record, text)
    if (fault !== undefined) return { reason: fault }
    if (usage.active + created.length >= usage.limit) {
      return {
        reason: `prompt: it would be a new active prompt, and the organization's limit of ${usage.limit} is reached. Raise it with \`answerlake orgs set ${site.organizationId} --prompt-limit N\` and import again.`,
      }
    }
    const prompt = { id: record.prompt_id, promptNo: nextNo(), text, category, market: record.market ?? null }
    created.push(prompt)
    byText.set(text, prompt)
    if (prompt.id !== undefined) byId.set(prompt.id, prompt)
    return prompt
  }

  return {
    created,
    find(record) {
      if (record.prompt_id !== undefined) {
        const known = byId.get(record.prompt_id)
        if (known) return known
        if (!create || record.prompt === undefined) {
          return {
            reason: `prompt_id: no prompt of this site has the id "${shorten(record.prompt_id)}". Add it with \`answerlake prompts add\`, or give the prompt's text and use --create-prompts.`,
          }
        }
      }
      const text = toPromptText(record.prompt ?? '')
      if (text === '') return { reason: 'prompt: neither prompt_id nor prompt is given. Give one of them.' }
      const known = byText.get(text)
      if (known) return known
      if (create) return take(record, text)
      return {
        reason: `prompt: this site does not track "${shorten(text)}". Add it with \`answerlake prompts add\`, or use --create-prompts.`,
      }
    },
  }
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}
