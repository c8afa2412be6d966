import { createContext } from 'preact'
import { toDays } from '../format.ts'
import { ENGINE_NAMES } from '../names.ts'
import { saveFile } from '../save-file.ts'
import { parseUrl, type ViewState } from '../url-state.ts'

/** A chart tells the panel around it how to save its picture; the panel offers that beside the other ways. */
export const PictureOffer = createContext<(save: (() => Promise<void>) | undefined) => void>(() => {})

const MARGIN_PX = 16
const LINE_PX = 20
/** Pixels of the picture for one of the page, so that it is sharp on paper. */
const SCALE = 2
/** What the style sheet says of a chart's elements; a picture stands for itself. The shorthand `font` may be empty. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
]
/** What the URL calls filters of logs. */
const LOG_FILTERS = ['bot', 'provider', 'purpose', 'source', 'page_type', 'path']
const FONT = '13px system-ui, sans-serif'

export interface PictureOf {
  readonly chart: SVGSVGElement
  readonly caption: string
  /** The lines by name, where there are several. */
  readonly names: readonly string[]
  readonly days: readonly string[]
}

/** Saves a chart as a PNG that says what it is of, on the colour of the page. */
export async function savePicture({ chart, caption, names, days }: PictureOf): Promise<void> {
  const image = await toImage(chart)
  const style = getComputedStyle(document.documentElement)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (context === null) return
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const state = parseUrl(location)
  const { site, view } = state ?? { site: '', view: 'chart' }
  context.font = `600 ${FONT}`
  const wrap = (line: string): string[] =>
    wrapWords(line, (text) => context.measureText(text).width <= image.width - MARGIN_PX)
  const titles = wrap(caption)
  const lines = [
    ...titles,
    ...wrap([site, `${toDays(from, to)} (UTC)`, ...(state ? listFilters(state) : [])].join(' · ')),
    ...(names.length > 1 ? wrap(names.join(' · ')) : []),
  ]
  const top = MARGIN_PX * 1.5 + LINE_PX * lines.length
  canvas.width = (image.width + MARGIN_PX) * SCALE
  canvas.height = (image.height + top + MARGIN_PX) * SCALE
  context.scale(SCALE, SCALE)
  context.fillStyle = style.getPropertyValue('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'top'
  lines.forEach((line, index) => {
    const isTitle = index < titles.length
    context.font = `${isTitle ? 600 : 400} ${FONT}`
    context.fillStyle = style.getPropertyValue(isTitle ? '--text' : '--quiet')
    context.fillText(line, MARGIN_PX, MARGIN_PX + index * LINE_PX)
  })
  context.drawImage(image, MARGIN_PX / 2, top)
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (bytes !== null) saveFile(bytes, `${site}-${view}-${from}-${to}.png`)
}

/** What the chart is narrowed to. Logs know neither engines nor categories of prompts. */
function listFilters({ view, engines, categories, more }: ViewState): string[] {
  if (view !== 'crawlers' && view !== 'visitors')
    return [...engines.map((engine) => ENGINE_NAMES[engine]), ...categories]
  return LOG_FILTERS.flatMap((name) => more[name] ?? [])
}

/** Lines of whole words, each as long as fits. */
function wrapWords(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

async function toImage(chart: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = chart.cloneNode(true) as SVGSVGElement
  // The page lets names stand out of the drawing; a picture would cut them.
  const { width, height } = chart.getBoundingClientRect()
  copy.setAttribute('viewBox', `${-MARGIN_PX / 2} 0 ${width + MARGIN_PX} ${height}`)
  copy.setAttribute('width', String(width + MARGIN_PX))
  const copies = copy.querySelectorAll<SVGElement>('*')
  chart.querySelectorAll('*').forEach((element, index) => {
    const style = getComputedStyle(element)
    for (const name of STYLES) copies[index]?.style.setProperty(name, style.getPropertyValue(name))
  })
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  return image
}
