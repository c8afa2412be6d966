import { readConfig } from '../../src/config.ts'
import { openApp } from '../../src/app.ts'
import { windowEndingOn } from '../../src/actions/windows.ts'
import { CARD_ANSWERS_MIN } from '../../src/limits.ts'
import { countOf } from '../format.ts'
import { ok, toReason, warning, type Finding, type Patient } from './finding.ts'

/** Below this share of judged answers the sentiment report says little about the others. */
const JUDGED_MIN = 0.5

/**
 * How many of the newest 28 days' answers that name the own brand are judged. A site with few such answers, or with no
 * judgement at all, which nobody expects then, is passed over.
 */
export async function checkSentiment({ dataDir, clock, environment }: Patient): Promise<readonly Finding[]> {
  try {
    const config = await readConfig({ dataDir, environment, flags: {} })
    await using app = await openApp(config, { mode: 'command', clock })
    const findings: Finding[] = []
    for (const site of app.catalog.sites.list()) {
      const day = app.catalog.scans.last(site.id)?.date
      if (day === undefined) continue
      const { first, last } = windowEndingOn(day)
      const { data } = await app.reports.sentiment(site.id, {
        site_id: site.id,
        start_date: first,
        end_date: last,
        limit: 1,
        group_by: [],
        metrics: ['judged_answers'],
      })
      const { answers_mentioning: naming = 0, judged_answers: judged = 0 } = data[0] ?? {}
      if (judged === 0 || naming < CARD_ANSWERS_MIN) continue
      const message = `${site.domain}: ${judged} of ${countOf(naming, 'answer')} to ${last} that name the brand are judged`
      findings.push(
        judged >= JUDGED_MIN * naming
          ? ok('sentiment', message)
          : warning(
              'sentiment',
              message,
              'the sentiment report counts the others as neutral, and no card is made from them; judge them with `answerlake sentiment import`',
            ),
      )
    }
    return findings
  } catch (error) {
    return [warning('sentiment', toReason(error), 'see the findings above; nothing was checked here')]
  }
}
