import { toAnswerNodes } from '../answer-text/answer-nodes.ts'
import { createLater } from '../parts/later-part.tsx'
import { readSections } from './read-sections.ts'

/** The sections of `methods.md`, which lies beside the scripts. */
export const useMethodSections = createLater(async () => {
  const response = await fetch(new URL('methods.md', import.meta.url))
  if (!response.ok) throw new Error(`methods.md: ${response.status}`)
  return readSections(await response.text())
})

/** The text of a section. */
export function MethodText({ text }: { readonly text: string }) {
  return <>{toAnswerNodes(text, (words) => [words])}</>
}
