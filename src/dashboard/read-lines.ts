/** Work on a long result rests after so long, so that the page answers meanwhile. */
const REST_AFTER_MS = 20

/** The lines of a body as they come, without those that are blank. Rejects where the connection breaks. */
export async function* readLines({ body }: Pick<Response, 'body'>): AsyncGenerator<string, void> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let [rest, since] = ['', performance.now()]
  for (let isDone = reader === undefined; !isDone;) {
    const piece = await reader?.read()
    isDone = piece?.done !== false
    const lines = (rest + decoder.decode(piece?.value, { stream: !isDone })).split('\n')
    rest = isDone ? '' : (lines.pop() ?? '')
    for (const line of lines) {
      if (performance.now() - since > REST_AFTER_MS) {
        await new Promise((resolve) => setTimeout(resolve))
        since = performance.now()
      }
      if (line !== '') yield line
    }
  }
}
