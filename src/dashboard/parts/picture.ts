import { createContext } from 'preact'
import { saveFile } from '../save-file.ts'

/** A chart tells the panel around it how to save its picture; the panel offers that beside the other ways. */
export const PictureOffer = createContext<(save: (() => Promise<void>) | undefined) => void>(() => {})

const MARGIN_PX = 16
const LINE_PX = 20
/** Pixels of the picture for one of the page, so that it is sharp on paper. */
const SCALE = 2
/** What the style sheet says of a chart's elements; a picture stands for itself. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'font']

/** Saves a chart as a PNG with its caption over it, on the colour of the page. */
export async function savePicture(
  chart: SVGSVGElement | null,
  caption: string,
  names: readonly string[],
): Promise<void> {
  if (chart === null) return
  const image = await toImage(chart)
  const style = getComputedStyle(document.documentElement)
  const lines = [caption, ...(names.length > 1 ? [names.join(' · ')] : [])]
  const top = MARGIN_PX * 1.5 + LINE_PX * lines.length
  const canvas = document.createElement('canvas')
  canvas.width = (image.width + 2 * MARGIN_PX) * SCALE
  canvas.height = (image.height + top + MARGIN_PX) * SCALE
  const context = canvas.getContext('2d')
  if (context === null) return
  context.scale(SCALE, SCALE)
  context.fillStyle = style.getPropertyValue('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'top'
  lines.forEach((line, index) => {
    context.font = `${index === 0 ? 600 : 400} 13px system-ui, sans-serif`
    context.fillStyle = style.getPropertyValue(index === 0 ? '--text' : '--quiet')
    context.fillText(line, MARGIN_PX, MARGIN_PX + index * LINE_PX, image.width)
  })
  context.drawImage(image, MARGIN_PX, top)
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (bytes !== null) saveFile(bytes, 'answerlake-chart.png')
}

async function toImage(chart: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = chart.cloneNode(true) as SVGSVGElement
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
