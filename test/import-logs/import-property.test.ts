import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hits, openLogSite } from './support/log-site.ts'

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), lines: fc.integer({ min: 1, max: 900 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('begin a line' as const),
      part: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('import' as const), rotated: fc.nat(3), stdin: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rotate' as const),
      how: fc.constantFrom('rename', 'copy', 'gzip', 'zstd'),
    }),
  },
)

it(
  'whatever is written, rotated, compressed and imported in between, each line counts once',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        await using site = await openLogSite()
        const path = site.write('access.log', '')
        const rotated: string[] = []
        let written = 0
        let rest = ''
        for (const next of steps) {
          if (next.do === 'write') {
            appendFileSync(path, rest + hits(written + 1, written + next.lines))
            written += next.lines
            rest = ''
          } else if (next.do === 'begin a line' && rest === '') {
            written += 1
            const whole = hits(written, written)
            const cut = Math.ceil(whole.length * next.part)
            appendFileSync(path, whole.slice(0, cut))
            rest = whole.slice(cut)
          } else if (next.do === 'rotate') {
            // Servers finish the line that they are writing in the file that they began it in.
            appendFileSync(path, rest)
            rest = ''
            rotated.push(rotate(path, next.how, rotated.length))
          } else if (next.do === 'import') {
            await site.import([path, ...rotated.slice(-next.rotated)], { format: 'combined' })
            if (next.stdin) await site.importStdin(readFileSync(path), { format: 'combined' })
          }
        }
        appendFileSync(path, rest)
        await site.import([...rotated, path], { format: 'combined' })
        await site.import([path, ...rotated, path], { format: 'combined' })
        expect(await site.bots({ metrics: ['hits', 'pages'] })).toEqual(
          written === 0 ? [] : [{ hits: written, pages: written }],
        )
      }),
      { numRuns: 25, seed: 20_261_121 },
    )
  },
)

function rotate(path: string, how: string, number: number): string {
  const target = `${path}.${number}`
  const content = readFileSync(path)
  if (how === 'rename') renameSync(path, target)
  else writeFileSync(target, how === 'gzip' ? gzipSync(content) : how === 'zstd' ? zstdCompressSync(content) : content)
  writeFileSync(path, '')
  return target
}
