/** A brand with its spellings in the form in which they are compared. */
export interface Spelled {
  readonly spellings: readonly string[]
}

/** The form in which names are compared: NFKC, without case (formats.md 2.3). */
export function foldName(name: string): string {
  return Array.from(name.normalize('NFKC'), (letter) => letter.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFKC')
    .trim()
}

/** The brands that a text names, in order of first appearance, each once. */
export function findNamed<B extends Spelled>(text: string, brands: readonly B[]): B[] {
  const letters = Array.from(foldName(text).replaceAll(/(https?:\/\/|www\.)[^\s"'<>)\]]*/g, ' '))
  const spelled = brands.flatMap((brand) =>
    brand.spellings.map((name) => ({ brand, letters: Array.from(foldName(name)) })),
  )
  const named: B[] = []
  for (let at = 0; at < letters.length; at++) {
    let longest: (typeof spelled)[number] | undefined
    for (const candidate of spelled) {
      if (candidate.letters.length <= (longest?.letters.length ?? 0)) continue
      if (isWordAt(letters, at, candidate.letters)) longest = candidate
    }
    if (!longest) continue
    if (!named.includes(longest.brand)) named.push(longest.brand)
    at += longest.letters.length - 1
  }
  return named
}

function isWordAt(letters: readonly string[], at: number, word: readonly string[]): boolean {
  const isThere = word.every((letter, index) => letters[at + index] === letter)
  return isThere && !isWordLetter(letters[at - 1]) && !isWordLetter(letters[at + word.length])
}

function isWordLetter(letter: string | undefined): boolean {
  return letter !== undefined && /^[\p{L}\p{N}\p{M}]$/u.test(letter)
}
