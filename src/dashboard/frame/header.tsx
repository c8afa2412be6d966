import type { Schemas } from '../../client/client.ts'
import { useAct } from '../parts/act-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { Segments } from '../parts/segments.tsx'
import { getMe, signOut } from '../session.ts'
import { chooseTheme, getThemeChoice, type ThemeChoice } from '../theme.ts'
import { toPageUrl, toUrl, type ViewName, type ViewState } from '../url-state.ts'
import { ViewMenu } from './view-menu.tsx'

export interface HeaderProps {
  readonly sites: readonly Schemas['Site'][]
  readonly state: ViewState
  readonly shown: ViewName | undefined
}

const THEMES: readonly { readonly value: ThemeChoice; readonly title: string }[] = [
  { value: 'system', title: 'System' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
]

/** Which site is shown, and who is signed in. */
export function Header({ sites, state, shown }: HeaderProps) {
  const site = sites.find(({ domain, id }) => domain === state.site || id === state.site)
  const name = (
    <span class="site-name">
      {site?.name} <small class="quiet">{site?.domain}</small>
    </span>
  )
  return (
    <header class="top">
      <a class="skip" href="#main">
        To the content
      </a>
      <div class="top-views">
        <Menu title={<span aria-hidden="true">☰</span>} label="Views" kind="quiet">
          {(close) => <ViewMenu state={state} shown={shown} onPick={close} />}
        </Menu>
      </div>
      <a class="brand" href="/">
        answerlake
      </a>
      {sites.length > 1 ? (
        <Menu
          title={site === undefined ? 'Site' : name}
          label={`Site: ${site === undefined ? 'none' : `${site.name} ${site.domain}`}`}
          kind="quiet"
        >
          {(close) => (
            <ul class="menu-list">
              {sites.map(({ id, name, domain }) => (
                <li key={id}>
                  <a
                    href={toUrl({ ...state, site: domain, more: {} })}
                    aria-current={domain === site?.domain ? 'true' : undefined}
                    onClick={close}
                  >
                    {name} <small class="quiet">{domain}</small>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Menu>
      ) : (
        name
      )}
      <Account />
    </header>
  )
}

function Account() {
  const { user, organization } = getMe() ?? {}
  const { isBusy, run } = useAct()
  return (
    <div class="account">
      <Menu title={<span class="mail">{user?.mail}</span>} label={`Account ${user?.mail}`} kind="quiet" isEnd>
        {(close) => (
          <>
            <p class="menu-note">
              {organization?.name}
              <br />
              <span class="quiet">
                {user?.mail}, {user?.role}
              </span>
            </p>
            <Segments label="Theme" value={getThemeChoice()} options={THEMES} onPick={chooseTheme} />
            <ul class="menu-list">
              <li>
                <a href={toPageUrl('/settings/account', location)} onClick={close}>
                  Your sessions
                </a>
              </li>
              <li>
                <a href={toPageUrl('/methods', location)} onClick={close}>
                  How this is counted
                </a>
              </li>
              <li>
                <button type="button" aria-busy={isBusy} onClick={() => run(signOut)}>
                  Sign out
                </button>
              </li>
            </ul>
          </>
        )}
      </Menu>
    </div>
  )
}
