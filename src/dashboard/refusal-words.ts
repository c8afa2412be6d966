import type { Refusal } from './api.ts'

const FAULTS_SHOWN = 5

/** A refusal as a person reads it, line by line: what was refused, and the first few of its faults, each with what it is of. */
export function toRefusalLines({ message, details }: Pick<Refusal, 'message' | 'details'>): readonly string[] {
  const told = new Set(details.filter((one) => !message.includes(one.message)).map(toLine))
  if (told.size === 0) return [message]
  // The faults stand right below, and what a form sends is no request to who fills it in.
  const lead = message
    .replace('The request has faults.', 'Something here isn’t valid.')
    .replace(/ See details[^.]*\./, '')
  const hidden = told.size - FAULTS_SHOWN
  return [lead, ...[...told].slice(0, FAULTS_SHOWN), ...(hidden > 0 ? [`And ${hidden} more.`] : [])]
}

/** The same as one text, for a place that keeps its lines. */
export const toRefusalText = (refusal: Refusal): string => toRefusalLines(refusal).join('\n')

function toLine({ path, message }: Refusal['details'][number]): string {
  const name = toName(path)
  return name === '' ? message : `${name}: ${message}`
}

/** `expires_in_days` is `Expires in days`, `prompts.3.market` is `Prompt 4, market`; the body as a whole has no name. */
function toName(path: string): string {
  if (path === 'body') return ''
  const words = path
    .replace(/^prompts\./, 'prompt.')
    .replaceAll(/\.(\d+)/g, (_, index: string) => ` ${Number(index) + 1}`)
    .replaceAll('.', ', ')
    .replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
