import { useEffect } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { previousRange } from './days.ts'
import { currentState } from './navigation.ts'
import { FilterBar } from './parts/filter-bar.tsx'
import { findLatestDay, toRange } from './ranges.ts'
import { loadMe, me } from './session.ts'
import { usePage } from './use-answer.ts'
import { VIEWS } from './views/index.ts'

/** The whole page: who is signed in, which site, which view. */
export function App() {
  useEffect(() => void loadMe(), [])
  if (me.value === undefined) return null
  return <SitePage />
}

function SitePage() {
  const sites = usePage<Schemas['Site']>({ method: 'GET', path: '/sites' }).value?.rows ?? []
  const state = currentState()
  const site = sites.find(({ id, domain }) => domain === state?.site || id === state?.site)
  if (state === undefined || site === undefined) return null
  const View = VIEWS[state.view]
  const range = toRange(state, findLatestDay(site))
  const compared = state.compare === 'previous' ? previousRange(range) : undefined
  return (
    <main>
      <FilterBar state={state} site={site} range={range} compared={compared} />
      {View !== undefined && <View state={state} site={site} range={range} compared={compared} />}
    </main>
  )
}
