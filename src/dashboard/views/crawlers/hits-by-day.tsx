import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { changeUrl } from '../../navigation.ts'
import { Segments } from '../../parts/segments.tsx'
import type { ViewProps } from '../view-props.ts'
import { CountsByDay } from '../logs/counts-by-day.tsx'
import { toBotTypeName, toProviderName } from './names.ts'
import { LINES_BY, type LinesBy, toLinesBy } from './questions.ts'

const NAMES: Readonly<Record<LinesBy, (group: string) => string>> = {
  bot: (name) => name,
  purpose: toBotTypeName,
  provider: toProviderName,
}

interface HitsByDayProps extends Pick<ViewProps, 'state' | 'site' | 'range'> {
  readonly question: Question<Schemas['BotRow']>
}

/** Hits by day, a line a crawler, purpose or provider. */
export function HitsByDay({ state, ...asked }: HitsByDayProps) {
  const by = toLinesBy(state)
  const field = LINES_BY[by]
  return (
    <CountsByDay<Schemas['BotRow']>
      {...asked}
      method="crawlers"
      title="Hits by day"
      caption="Crawler hits by day"
      sentence="Hits a UTC day, without spoofed ones."
      metric="hits"
      count={({ hits = 0 }) => hits}
      groupOf={(row) => row[field] ?? ''}
      nameOf={NAMES[by]}
      controls={
        <Segments
          label="A line for each"
          value={by}
          options={[
            { value: 'bot', title: 'Crawler' },
            { value: 'purpose', title: 'Purpose' },
            { value: 'provider', title: 'Provider' },
          ]}
          onPick={(to) => changeUrl({ more: { by: to === 'bot' ? '' : to } })}
        />
      }
    />
  )
}
