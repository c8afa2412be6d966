const BYTES_MAX = 5 * 1024 * 1024

/** A chosen file's text, or the sentence why there is none. */
export async function readTextFile(file: Blob): Promise<{ readonly text: string } | { readonly fault: string }> {
  if (file.size > BYTES_MAX) return { fault: 'The file is larger than 5 MB.' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { fault: 'The file is not in UTF-8. Spreadsheets save that as “CSV UTF-8”.' }
  }
}
