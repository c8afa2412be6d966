/** The form in which spellings of brands are compared: NFKC, lower case, trimmed (formats.md 2.3). */
export function toBrandKey(spelling: string): string {
  return spelling.normalize('NFKC').toLowerCase().trim()
}
