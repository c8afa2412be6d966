/** What is shown of a long answer at first; few answers are a tenth as long. */
const SHOWN_CHARACTERS = 20_000

/** The beginning of a long answer, up to the end of a line or word where one is near. */
export function cutText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text
  const start = text.slice(0, SHOWN_CHARACTERS)
  const end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '))
  return end > SHOWN_CHARACTERS / 2 ? start.slice(0, end) : start
}
