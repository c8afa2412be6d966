import type { Schemas } from '../../../client/client.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toSafeLink } from '../../answer-text/safe-link.ts'
import { toCount, toPercent } from '../../format.ts'
import { OWNER_NAMES, SOURCE_KIND_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Value } from '../../parts/value.tsx'
import { toUrl, toView, type ViewState, withChange } from '../../url-state.ts'

type Row = Schemas['CitationRow']

export const keyOf = ({ domain, page }: Row): string => page ?? domain ?? ''

/** A domain, which leads to its pages, or a page, which leads to itself. */
export function SourceName({ state, row: { domain, page } }: { readonly state: ViewState; readonly row: Row }) {
  if (domain !== undefined) {
    return (
      <a href={toUrl(withChange(state, { more: { entity: 'page', domain } }))} title={`Pages of ${domain}`}>
        <bdi>{showHidden(domain)}</bdi>
      </a>
    )
  }
  const address = page ?? ''
  const link = toSafeLink(address)
  const shown = <bdi class="address">{showHidden(toReadable(address))}</bdi>
  return link === undefined ? (
    shown
  ) : (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" title={link.href}>
      {shown}
    </a>
  )
}

/** As people write it: without its scheme, its letters instead of their codes. */
function toReadable(address: string): string {
  const shown = address.replace(/^https?:\/\//, '')
  try {
    return decodeURI(shown)
  } catch {
    return shown
  }
}

/** Of what kind it is; a click makes it a filter. */
export const KIND_COLUMN: Column<Row> = {
  title: 'Kind',
  cell: ({ source_kind }) => (
    <button type="button" class="badge" onClick={() => changeUrl({ more: { kind: source_kind } })}>
      {SOURCE_KIND_NAMES[source_kind]}
    </button>
  ),
}

/** Whose it is and of what kind; a click makes it a filter. */
export const OWNER_COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Whose',
    cell: ({ owner }) => (
      <button type="button" class={`badge badge-${owner}`} onClick={() => changeUrl({ more: { owner } })}>
        {OWNER_NAMES[owner]}
      </button>
    ),
  },
  KIND_COLUMN,
]

/** The counts of the report, and its share of all links. */
export const COUNT_COLUMNS: readonly Column<Row>[] = [
  toCountColumn('Answers', 'answers', toCount),
  toCountColumn('Links', 'citations', toCount),
  toCountColumn('Share of links', 'citation_share', toPercent),
]

/** The service sorts the list, of which a page is shown: the reader can't. */
function toCountColumn(
  title: string,
  metric: 'answers' | 'citations' | 'citation_share',
  format: (value: number) => string,
): Column<Row> {
  return {
    title,
    isNumber: true,
    cell: ({ [metric]: value = 0 }) => (
      <Value metric={metric} value={value}>
        {format(value)}
      </Value>
    ),
  }
}

/** Leads to the answers that cite a domain. */
export function toAnswersColumn(state: ViewState, more: Readonly<Record<string, string>> = {}): Column<Row> {
  return {
    title: 'Read',
    cell: ({ domain }) =>
      domain !== undefined && (
        <a href={toUrl(toView(state, 'answers', { domain, ...more }))} aria-label={`Answers that cite ${domain}`}>
          answers
        </a>
      ),
  }
}
