/**
 * Characters that are drawn as nothing, or that turn the order of what stands around them: controls but tab and line feed, and
 * the embeddings, overrides and isolates of bidirectional text. Marks of direction alone stay, Arabic and Hebrew need them.
 */
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** The text with each such character as a sign that can be seen: `␀`, `[U+202E]`. */
export function showHidden(text: string): string {
  return text.replaceAll(HIDDEN, (hidden) => {
    const code = hidden.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
