import * as v from 'valibot'
import content from '../../data/labelled_answers.json' with { type: 'json' }
import { SENTIMENTS } from '../domain/enums.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

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
export type LabelledAnswer = v.InferOutput<typeof labelledAnswerFile>['examples'][number]

/** The labelled set that judges are held against, in the file's order. */
export function listLabelledAnswers(): readonly LabelledAnswer[] {
  return parseCatalogue('labelled_answers.json', labelledAnswerFile, content).examples
}
