import type { SiteView } from './rule.ts'
import type { DayRange } from './windows.ts'

/** A page of the own site that answers cite. */
export interface OwnPage {
  /** As the citations report gives it. */
  readonly url: string
  /** Distinct answers that cite it. */
  readonly answers: number
  /** Pairs of prompt and engine whose answers cite it, as `toSliceKey` writes them, with how many of them do. */
  readonly slices: ReadonlyMap<string, number>
}

export function toSliceKey(promptId: string, platform: string): string {
  return `${platform} ${promptId}`
}

/** The own site's cited pages, most cited first. */
export async function listOwnPages(view: SiteView, range: DayRange): Promise<readonly OwnPage[]> {
  const pages = new Map<string, { url: string; answers: number; slices: Map<string, number> }>()
  for (const { page: url, prompt_id, platform, answers } of await view.reports.ownPages(range, {})) {
    const page = pages.get(url) ?? { url, answers: 0, slices: new Map<string, number>() }
    page.answers += answers
    const slice = toSliceKey(prompt_id, platform)
    page.slices.set(slice, (page.slices.get(slice) ?? 0) + answers)
    pages.set(url, page)
  }
  return [...pages.values()].toSorted((a, b) => b.answers - a.answers || (a.url < b.url ? -1 : 1))
}

/** What stays of a page's address when it is written in another way: without scheme, `www.` and the last slash. */
export function toPageKey(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/(?=$|\?)/, '')
}
