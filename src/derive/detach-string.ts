/**
 * A copy that holds no more memory than its own: V8 keeps the whole text alive that a piece was cut from. Lone surrogates
 * become U+FFFD, as they would in any file.
 */
export function detachString(text: string): string {
  return Buffer.from(text).toString()
}
