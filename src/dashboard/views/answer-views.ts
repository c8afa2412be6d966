import { Answers } from './answers/answers.tsx'
import { Competitors } from './competitors/competitors.tsx'
import { Sources } from './sources/sources.tsx'
import { Tone } from './tone/tone.tsx'
import { Visibility } from './visibility/visibility.tsx'

/** What answers say, beside the overview. */
export const ANSWER_VIEWS = {
  visibility: Visibility,
  answers: Answers,
  sources: Sources,
  competitors: Competitors,
  tone: Tone,
}
