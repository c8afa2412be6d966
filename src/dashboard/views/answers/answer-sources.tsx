import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../../client/client.ts'
import { toMarkedNodes } from '../../answer-text/answer-nodes.ts'
import type { BrandMarker } from '../../answer-text/brand-names.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toSafeLink } from '../../answer-text/safe-link.ts'
import { toCount } from '../../format.ts'
import { OWNER_NAMES, SOURCE_KIND_NAMES } from '../../names.ts'
import { toUrl, type ViewState, withChange } from '../../url-state.ts'

export interface AnswerSourcesProps {
  readonly state: ViewState
  readonly answer: Schemas['Answer']
  /** Domains of the answer with their owner and kind. */
  readonly owners: readonly Schemas['CitationRow'][]
  readonly mark: BrandMarker
}

/** What an answer cites, whose that is and of what kind; and what it only read. */
export function AnswerSources({ state, answer, owners, mark }: AnswerSourcesProps) {
  const { citations = [], consulted } = answer
  const byDomain = new Map(owners.map((row) => [row.domain, row]))
  return (
    <>
      <section class="answer-part">
        <h3>Sources cited ({toCount(citations.length)})</h3>
        {citations.length === 0 ? (
          <p class="quiet">The answer cites nothing.</p>
        ) : (
          <ol class="answer-sources">
            {citations.map(({ url, title, domain, position, own_site }) => {
              const row = byDomain.get(domain)
              return (
                <Source key={position} url={url} title={title} mark={mark}>
                  <span class={own_site ? 'badge badge-own' : 'badge'}>
                    {own_site ? OWNER_NAMES.own : row === undefined ? '' : OWNER_NAMES[row.owner]}
                  </span>
                  {row !== undefined && <span class="badge">{SOURCE_KIND_NAMES[row.source_kind]}</span>}
                  <a href={toUrl(withChange(state, { more: { domain, answer: '' } }))}>
                    answers that cite {showHidden(domain)}
                  </a>
                </Source>
              )
            })}
          </ol>
        )}
      </section>
      {consulted !== null && consulted !== undefined && consulted.length > 0 && (
        <section class="answer-part">
          <h3>Read and not cited ({toCount(consulted.length)})</h3>
          <ol class="answer-sources">
            {consulted.map(({ url, title }, index) => (
              <Source key={index} url={url} title={title} mark={mark} />
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

interface SourceProps {
  readonly url: string
  readonly title: string
  readonly mark: BrandMarker
  readonly children?: ComponentChildren
}

function Source({ url, title, mark, children }: SourceProps) {
  const link = toSafeLink(url)
  const name = title === '' ? showHidden(url) : toMarkedNodes(title, mark)
  return (
    <li>
      <bdi class="source-title">
        {link === undefined ? (
          name
        ) : (
          <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" title={link.href}>
            {name}
          </a>
        )}
      </bdi>
      <span class="source-about">
        <bdi class="host">{link?.host ?? ''}</bdi>
        {children}
      </span>
    </li>
  )
}
