import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import type { Schemas } from '../../client/client.ts'
import { previousRange } from '../days.ts'
import { MethodsPage } from '../methods/methods-page.tsx'
import { SETTINGS, type SettingsPart, VIEW_TITLES } from '../names.ts'
import { go } from '../navigation.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { Refused } from '../parts/refused.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { findLatestDay, toRange } from '../ranges.ts'
import { isOwner, SITES } from '../session.ts'
import { parseUrl, readSite, toPageUrl, toUrl, toViewPath, type ViewName, type ViewState } from '../url-state.ts'
import { usePage } from '../use-reply.ts'
import { Settings, VIEWS } from '../views/views.tsx'
import { Header } from './header.tsx'
import { ViewMenu } from './view-menu.tsx'

type Site = Schemas['Site']

/** What those see who are signed in: a view of a site, the settings, the methods, or that there is nothing here. */
export function SignedInPage() {
  const sites = usePage(SITES)
  const { pathname } = location
  const [first] = sites.value?.rows ?? []
  const isStart = pathname === '/' || pathname === '/sign-in'
  useEffect(() => {
    if (isStart && first !== undefined) go(toUrl(toStart(first)), { replace: true })
  }, [isStart, first])
  if (sites.refusal !== undefined) return <Refused refusal={sites.refusal} />
  if (sites.value === undefined || (isStart && first !== undefined)) return <Skeleton />
  const { rows } = sites.value
  const state = parseUrl(location)
  const part = /^\/settings(?:\/([a-z]*))?$/.exec(pathname)
  const said = readSite(location)
  const site = rows.find(({ id, domain }) => domain === said || id === said)
  const frame = { sites: rows, state: state ?? toStart(site ?? first) }
  if (part !== null) return <SettingsPage {...frame} part={part[1] ?? ''} />
  if (pathname === '/methods') {
    return (
      <Frame {...frame} shown={undefined} title="How this is counted">
        <MethodsPage />
      </Frame>
    )
  }
  if (first === undefined) {
    return (
      <Frame {...frame} shown={undefined} title="No site yet">
        <NoSite />
      </Frame>
    )
  }
  if (state === undefined || site === undefined) {
    return (
      <Frame {...frame} shown={undefined} title="Nothing here">
        <Empty
          kind="none"
          title={state === undefined ? 'There is no such page.' : `There is no site ${state.site} here.`}
        >
          <a href="/">To the overview</a>
        </Empty>
      </Frame>
    )
  }
  return <SitePage sites={rows} state={state} site={site} />
}

/** The overview of a site with nothing chosen; of none, links lead nowhere yet. */
function toStart(site: Site | undefined): ViewState {
  const start = parseUrl({ pathname: toViewPath(site?.domain ?? '-', 'overview'), search: '' })
  if (start === undefined) throw new Error('The start page has no URL.')
  return start
}

interface FrameProps {
  readonly sites: readonly Site[]
  readonly state: ViewState
  readonly shown: ViewName | undefined
  readonly title: string
  /** What is shown of a page that has parts. */
  readonly part?: string | undefined
  readonly children: ComponentChildren
}

function Frame({ sites, state, shown, title, part, children }: FrameProps) {
  const name = part === undefined ? title : `${part} · ${title}`
  const main = useRef<HTMLElement>(null)
  const isLater = useRef(false)
  useEffect(() => {
    document.title = `${name} · ${state.site} · answerlake`
    if (isLater.current) main.current?.focus()
    isLater.current = true
  }, [name, state.site])
  return (
    <>
      <Header sites={sites} state={state} shown={shown} />
      <div class="frame">
        <aside class="side">
          <ViewMenu state={state} shown={shown} />
        </aside>
        <main id="main" class="main" tabIndex={-1} ref={main}>
          <h1>{title}</h1>
          {children}
        </main>
      </div>
    </>
  )
}

interface SitePageProps {
  readonly sites: readonly Site[]
  readonly state: ViewState
  readonly site: Site
}

function SitePage({ sites, state, site }: SitePageProps) {
  const View = VIEWS[state.view]
  const range = toRange(state, findLatestDay(site))
  const shown = { state, site, range, compared: state.compare === 'previous' ? previousRange(range) : undefined }
  return (
    <Frame sites={sites} state={state} shown={state.view} title={VIEW_TITLES[state.view]}>
      <FilterBar {...shown} />
      <Guard key={`${site.id} ${state.view}`}>
        <View {...shown} />
      </Guard>
    </Frame>
  )
}

/** A fault of a view leaves the rest of the page alone. */
function Guard({ children }: { readonly children: ComponentChildren }) {
  const [fault, forget] = useErrorBoundary()
  if (fault === undefined) return <>{children}</>
  return (
    <Empty kind="none" title="This view has a fault and can’t be shown.">
      <p>{String(fault)}</p>
      <Button onClick={forget}>Try again</Button>
    </Empty>
  )
}

interface SettingsPageProps extends Pick<FrameProps, 'sites' | 'state'> {
  readonly part: string
}

function SettingsPage({ sites, state, part }: SettingsPageProps) {
  const parts = (Object.keys(SETTINGS) as SettingsPart[]).filter((name) => isOwner() || !SETTINGS[name].forOwners)
  const shown = parts.find((name) => name === part) ?? parts[0]
  return (
    <Frame sites={sites} state={state} shown={undefined} title="Settings" part={shown && SETTINGS[shown].title}>
      <nav class="tabs" aria-label="Settings">
        {parts.map((name) => (
          <a
            key={name}
            href={toPageUrl(`/settings/${name}`, location)}
            aria-current={name === shown ? 'page' : undefined}
          >
            {SETTINGS[name].title}
          </a>
        ))}
      </nav>
      <Guard key={part}>{shown !== undefined && <Settings part={shown} sites={sites} />}</Guard>
    </Frame>
  )
}

function NoSite() {
  return (
    <Empty kind="not_connected" title="There is nothing to show before there is a site.">
      <p>A site is a brand with its domain. Whoever runs the service makes the first one:</p>
      <pre>answerlake sites create --name Acme --domain acme.com</pre>
    </Empty>
  )
}
