import { SETTINGS, VIEW_TITLES } from '../names.ts'
import { getMe } from '../session.ts'
import { toPageUrl, toUrl, toView, type ViewName, type ViewState } from '../url-state.ts'

/** The views under what a reader comes for. */
const GROUPS: readonly { readonly title: string; readonly views: readonly ViewName[] }[] = [
  { title: 'What is said', views: ['overview', 'visibility', 'answers', 'sources', 'competitors', 'tone'] },
  { title: 'Who comes', views: ['crawlers', 'visitors'] },
  { title: 'What to do', views: ['actions', 'prompts', 'scan'] },
]

export interface ViewMenuProps {
  /** The state that the links keep: site, days and filters. */
  readonly state: ViewState
  /** Undefined on the settings. */
  readonly shown: ViewName | undefined
  readonly onPick?: () => void
}

/** The links to the views, each with the days and filters of the one that is shown. */
export function ViewMenu({ state, shown, onPick }: ViewMenuProps) {
  return (
    <nav class="view-menu" aria-label="Views" onClick={onPick}>
      {GROUPS.map(({ title, views }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {views.map((view) => (
              <li key={view}>
                <a href={toUrl(toView(state, view))} aria-current={view === shown ? 'page' : undefined}>
                  {VIEW_TITLES[view]}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <ul>
          <li>
            <a
              href={toPageUrl(`/settings/${Object.keys(SETTINGS)[0]}`, location)}
              aria-current={location.pathname.startsWith('/settings') ? 'page' : undefined}
            >
              Settings
            </a>
          </li>
        </ul>
      </section>
      <p class="version quiet">answerlake {getMe()?.version}</p>
    </nav>
  )
}
