import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLines } from '../../src/dashboard/read-lines.ts'

/** A body that comes in pieces, wherever they are cut. */
function toBody(text: string, cuts: readonly number[]): Pick<Response, 'body'> {
  const bytes = new TextEncoder().encode(text)
  const ends = [...cuts.map((cut) => Math.floor(cut * bytes.length)).toSorted((a, b) => a - b), bytes.length]
  return {
    body: new ReadableStream({
      start(controller) {
        let start = 0
        for (const end of ends) {
          controller.enqueue(bytes.slice(start, end))
          start = end
        }
        controller.close()
      },
    }),
  }
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

it('gives each line whole, wherever the connection cuts them', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '))
  const cut = fc.double({ min: 0, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(cut), fc.boolean(), async (lines, cuts, ends) => {
      const text = lines.join('\n') + (ends ? '\n' : '')
      const read = await collect(readLines(toBody(text, cuts)))
      // A byte order mark is none of the text, wherever TextDecoder drops it.
      expect(read).toEqual(new TextDecoder().decode(new TextEncoder().encode(text)).split('\n').filter(Boolean))
    }),
  )
})

it('rejects where the connection breaks, and gives nothing of no body', async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) })
  await expect(collect(readLines({ body }))).rejects.toThrow('network error')
  expect(await collect(readLines({ body: null }))).toEqual([])
})
