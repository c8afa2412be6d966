import { useEffect } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { today } from './clock.ts'
import { addDays, previousRange } from './days.ts'
import { currentState } from './navigation.ts'
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
  const end = state.to || (site.last_answer_scan?.date ?? addDays(today(), -1))
  const range = { start_date: state.from || addDays(end, -27), end_date: end }
  const compared = state.compare === 'previous' ? previousRange(range) : undefined
  return View === undefined ? null : <View state={state} site={site} range={range} compared={compared} />
}
