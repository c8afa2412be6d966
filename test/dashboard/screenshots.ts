/**
 * Takes a picture of every view in both themes at 1280 and 390 pixels, on the demo, and holds it against the one in
 * `docs/images/dashboard`:
 *
 *     npm run screenshots [-- --update] [-- --out DIR]
 *
 * What differs is kept in `--out` as it is now and as a picture of the differences, and the command ends with 1. `--update`
 * puts the new pictures in place, to be looked at before they are committed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { VIEW_NAMES } from '../../src/dashboard/url-state.ts'
import { settle, turnTo } from './support/browser.ts'
import { openShownDemo } from './support/shown-demo.ts'

const GOLDEN = join(import.meta.dirname, '../../docs/images/dashboard')
const NOW = Date.parse('2026-11-16T08:00:00.000Z')
const SITE = '/sites/fernwick.example'
const PAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(VIEW_NAMES.map((view) => [view, `${SITE}/${view}`])),
  settings: '/settings/access',
}
const HEIGHTS: Readonly<Record<number, number>> = { 1280: 960, 390: 844 }
/** Pictures are kept smaller than they are taken; text stays readable. */
const SCALES: Readonly<Record<number, number>> = { 1280: 0.75, 390: 0.75 }
/** A part of 255 by which a pixel may differ, and the share of pixels that may differ by more. */
const TOLERANCE = 24
const SHARE_MAX = 0.01

/** Puts what is another in every run into words that stay: ports, ids of keys, the version. */
const STEADY = `{
  for (const input of document.querySelectorAll('main input[readonly]')) input.value = input.value.replace(/:\\d{4,5}\\b/, ':8080')
  for (const part of document.querySelectorAll('main small')) {
    if (/^key_\\w+$/.test(part.textContent)) part.textContent = 'key_01m7hnxg000qyr0h393p0vn1dd'
  }
  for (const version of document.querySelectorAll('.version')) version.textContent = 'answerlake'
}`

const { values } = parseArgs({
  options: {
    update: { type: 'boolean', default: false },
    out: { type: 'string', default: '/tmp/dashboard-screenshots' },
  },
})

const demo = await openShownDemo()
let wrong = 0
try {
  const bench = await (await demo.browser.newContext()).newPage()
  for (const width of [1280, 390]) {
    const viewport = { width, height: HEIGHTS[width] ?? 900 }
    await using visit = await demo.visit({ nowMs: NOW, viewport, reducedMotion: 'reduce' })
    for (const [name, path] of Object.entries(PAGES)) {
      await turnTo(visit.page, path)
      for (const theme of ['light', 'dark'] as const) {
        await visit.page.emulateMedia({ colorScheme: theme })
        wrong += await hold(bench, `${name}-${theme}-${width}`, await take(visit.page, bench, SCALES[width] ?? 1))
      }
    }
  }
} finally {
  await demo.close()
}
process.exitCode = wrong === 0 ? 0 : 1

/** What the window shows, as a WebP of reduced size. */
async function take(page: Page, bench: Page, scale: number): Promise<Buffer> {
  await settle(page)
  await page.evaluate('scrollTo(0, 0)')
  await page.evaluate(STEADY)
  const png = await page.screenshot()
  const webp = await bench.evaluate<string>(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob())
    const canvas = new OffscreenCanvas(Math.round(image.width * ${scale}), Math.round(image.height * ${scale}))
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })()`)
  return Buffer.from(webp, 'base64')
}

/** 0 where the picture is the one that is kept, 1 where it differs or there is none. */
async function hold(bench: Page, name: string, now: Buffer): Promise<number> {
  const file = join(GOLDEN, `${name}.webp`)
  if (values.update) {
    mkdirSync(GOLDEN, { recursive: true })
    writeFileSync(file, now)
    console.log(`${name}: ${now.length} bytes`)
    return 0
  }
  const { share, picture } = existsSync(file)
    ? await compare(bench, readFileSync(file), now)
    : { share: 1, picture: undefined }
  if (share <= SHARE_MAX) return 0
  mkdirSync(values.out, { recursive: true })
  writeFileSync(join(values.out, `${name}.webp`), now)
  if (picture !== undefined) writeFileSync(join(values.out, `${name}-differences.png`), Buffer.from(picture, 'base64'))
  console.log(`${name}: ${(share * 100).toFixed(1)} % of the pixels differ; see ${values.out}`)
  return 1
}

/** The share of pixels that differ, and a picture of them in red. Pictures of other sizes differ in all. */
function compare(bench: Page, before: Buffer, now: Buffer): Promise<{ share: number; picture?: string }> {
  return bench.evaluate<{ share: number; picture?: string }>(`(async () => {
    const load = async (text) => {
      const image = await createImageBitmap(await (await fetch('data:image/webp;base64,' + text)).blob())
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      return { canvas, context, data: context.getImageData(0, 0, image.width, image.height) }
    }
    const [a, b] = await Promise.all([load('${before.toString('base64')}'), load('${now.toString('base64')}')])
    if (a.canvas.width !== b.canvas.width || a.canvas.height !== b.canvas.height) return { share: 1 }
    let count = 0
    for (let at = 0; at < a.data.data.length; at += 4) {
      const differs = [0, 1, 2].some((part) => Math.abs(a.data.data[at + part] - b.data.data[at + part]) > ${TOLERANCE})
      if (!differs) continue
      count++
      b.data.data.set([255, 0, 0, 255], at)
    }
    b.context.putImageData(b.data, 0, 0)
    const bytes = new Uint8Array(await (await b.canvas.convertToBlob()).arrayBuffer())
    return { share: count / (a.data.data.length / 4), picture: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) }
  })()`)
}
