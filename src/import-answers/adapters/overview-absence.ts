/**
 * Whether words, of an error or in place of an overview's text, are Google's own that there is none for the search.
 * "Can't generate an AI overview right now" is not: asked again, Google may show one.
 */
export function saysNoOverview(words: string | null | undefined): boolean {
  return words !== null && words !== undefined && NOT_AVAILABLE.test(words)
}

const NOT_AVAILABLE =
  /^\W*(?:an? |google )?ai (?:overview|mode(?: response)?) (?:is not|isn['’]t) available for this (?:search|query)\W*$/i
