import * as v from 'valibot'
import { toPromptText } from '../../domain/prompt.ts'
import { NAME_CHARACTERS_MAX, PROMPT_CHANGES_MAX, PROMPT_CHARACTERS_MAX, STATUS_CHANGE_IDS_MAX } from '../../limits.ts'
import { maxCharacters } from '../../schemas/max-characters.ts'
import { arrayOf } from '../../schemas/bounded-array.ts'
import { listRepeated } from '../../reports/request-schema.ts'
import { Category } from '../../schemas/values.ts'
import { PromptStatus } from './resources.ts'
import { strictObject } from '../../schemas/strict-object.ts'

const dry_run = v.optional(v.pipe(v.boolean(), v.description('Validate and report without writing.')), false)

const Market = v.pipe(
  v.string(),
  v.regex(/\S/, 'Use a text that is not blank, or null.'),
  maxCharacters(NAME_CHARACTERS_MAX),
)

const Change = strictObject({
  id: v.string(),
  category: v.optional(Category),
  market: v.optional(v.pipe(v.nullable(Market), v.description('New location; null uses the market of the site.'))),
})

/** Brings a text into the form in which it is kept, Unicode NFC and trimmed; in NFC a few letters become two or three. */
function keptText(max: number, blank: string) {
  return [v.regex(/\S/, blank), maxCharacters(max), v.transform(toPromptText), maxCharacters(max)] as const
}

const NewPrompt = strictObject({
  text: v.pipe(
    v.string(),
    v.description('The question, exactly as it is asked. It never changes.'),
    ...keptText(PROMPT_CHARACTERS_MAX, 'Use a text that is not blank.'),
  ),
  category: Category,
  market: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.string(), ...keptText(NAME_CHARACTERS_MAX, 'Use a text that is not blank, or null.'))),
      v.description('Location it is asked for; null uses the market of the site.'),
    ),
  ),
})

/** What a list says of a prompt may stand in it once, by `toKey` of its `field`; another is a fault there (contract/api 7). */
function noneTwice<T>(field: string, toKey: (entry: unknown) => unknown, message: string) {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    for (const { key, value, input } of listRepeated(dataset.value, toKey)) {
      const given = toKey(value)
      addIssue({
        message,
        path: [
          { type: 'array', origin: 'value', input, key, value },
          { type: 'object', origin: 'value', input: { [field]: given }, key: field, value: given },
        ],
      })
    }
  })
}

function toTextOf(entry: unknown): unknown {
  const isPrompt = typeof entry === 'object' && entry !== null && 'text' in entry && typeof entry.text === 'string'
  return isPrompt ? toPromptText(entry.text as string) : undefined
}

/** Body of `POST …/prompts`. */
export const PromptCreation = strictObject({
  prompts: v.pipe(
    arrayOf(NewPrompt, { min: 1, max: PROMPT_CHANGES_MAX }),
    noneTwice<v.InferOutput<typeof NewPrompt>>('text', toTextOf, 'This text is given twice. Name it once.'),
  ),
  dry_run,
})

/** An entry that would change nothing is a mistake of the caller (contract/api 7). */
const changesSomething = v.rawCheck<v.InferOutput<typeof Change>>(({ dataset, addIssue }) => {
  const { value } = dataset
  if (typeof value !== 'object' || value === null || 'category' in value || 'market' in value) return
  addIssue({ message: 'Give a category, a market or both.' })
})

function toId(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
}

/** Body of `PATCH …/prompts`. */
export const PromptChanges = strictObject({
  prompts: v.pipe(
    arrayOf(v.pipe(Change, changesSomething), { min: 1, max: PROMPT_CHANGES_MAX }),
    noneTwice<v.InferOutput<typeof Change>>('id', toId, 'This prompt is given twice. Put its changes into one entry.'),
  ),
  dry_run,
})

/** Body of `PATCH …/prompts/status`; an id given twice counts once. */
export const StatusChange = strictObject({
  prompt_ids: arrayOf(v.string(), { min: 1, max: STATUS_CHANGE_IDS_MAX }),
  status: PromptStatus,
  dry_run,
})
