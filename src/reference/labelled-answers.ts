import * as v from 'valibot'
import content from '../../data/labelled_answers.json' with { type: 'json' }
import { SENTIMENTS } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

/** Of one evaluation. */
const EXAMPLES_MAX = 100_000

const text = v.pipe(v.string(), v.nonEmpty())

const labelledAnswerFile = v.strictObject({
  ...HEAD,
  examples: v.array(
    v.strictObject({
      id: text,
      /** ISO 639-1. */
      language: v.pipe(v.string(), v.regex(/^[a-z]{2}$/)),
      brand: text,
      sentiment: v.picklist(SENTIMENTS),
      /** What makes it easy or hard: `irony`, `rival`, `steering`. */
      kind: text,
      text,
      reason: text,
      ...SOURCED,
    }),
  ),
})

/** A short answer about a made-up brand, with the sentiment that a person reads in it, and why. */
export type LabelledAnswer = Omit<v.InferOutput<typeof labelledAnswerFile>['examples'][number], 'source' | 'date'>

const ownFile = v.object({
  examples: v.pipe(
    v.array(
      v.object({
        id: text,
        brand: text,
        text,
        sentiment: v.picklist(SENTIMENTS),
        language: v.optional(v.string(), ''),
        kind: v.optional(v.string(), ''),
        reason: v.optional(v.string(), ''),
      }),
    ),
    v.nonEmpty(),
    v.maxLength(EXAMPLES_MAX),
  ),
})

/** Reads a labelled set of an operator's own, in the form of this one. Throws CommandError that names the file and the place. */
export function parseLabelledAnswers(json: string, file: string): readonly LabelledAnswer[] {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch (cause) {
    throw new CommandError(`${file} is no JSON.`, { cause })
  }
  const result = v.safeParse(ownFile, given)
  if (!result.success) {
    const [issue] = result.issues
    throw new CommandError(`${file}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`)
  }
  const { examples } = result.output
  const twice = examples.find(({ id }, index) => examples.findIndex((other) => other.id === id) < index)
  if (twice) throw new CommandError(`${file}: two examples have the id ${twice.id}; give each its own.`)
  return examples
}

/** The labelled set that judges are held against, in the file's order. */
export function listLabelledAnswers(): readonly LabelledAnswer[] {
  return parseCatalogue('labelled_answers.json', labelledAnswerFile, content).examples
}
