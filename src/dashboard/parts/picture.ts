import { createContext } from 'preact'
import { saveFile } from '../save-file.ts'

/** A chart tells the panel around it how to save its picture; the panel offers that beside the other ways. */
export const PictureOffer = createContext<(save: (() => Promise<void>) | undefined) => void>(() => {})

const MARGIN_PX = 16
const LINE_PX = 20

/** Saves a chart as a PNG with its caption over it, on the colour of the page. */
export async function savePicture(
  chart: HTMLCanvasElement | undefined,
  caption: string,
  names: readonly string[],
): Promise<void> {
  if (chart === undefined) return
  const style = getComputedStyle(document.documentElement)
  const ratio = devicePixelRatio
  const lines = [caption, ...(names.length > 1 ? [names.join(' · ')] : [])]
  const picture = document.createElement('canvas')
  const top = (MARGIN_PX * 1.5 + LINE_PX * lines.length) * ratio
  picture.width = chart.width + 2 * MARGIN_PX * ratio
  picture.height = chart.height + top + MARGIN_PX * ratio
  const context = picture.getContext('2d')
  if (context === null) return
  context.fillStyle = style.getPropertyValue('--surface')
  context.fillRect(0, 0, picture.width, picture.height)
  context.textBaseline = 'top'
  lines.forEach((line, index) => {
    context.font = `${index === 0 ? 600 : 400} ${13 * ratio}px system-ui, sans-serif`
    context.fillStyle = style.getPropertyValue(index === 0 ? '--text' : '--quiet')
    context.fillText(line, MARGIN_PX * ratio, (MARGIN_PX + index * LINE_PX) * ratio, chart.width)
  })
  context.drawImage(chart, MARGIN_PX * ratio, top)
  const bytes = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve))
  if (bytes !== null) saveFile(bytes, 'answerlake-chart.png')
}
