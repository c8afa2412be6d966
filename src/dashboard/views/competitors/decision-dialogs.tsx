import { useState } from 'preact/hooks'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Select } from '../../parts/field.tsx'
import type { KnownCompetitor } from '../answers/use-brand-marker.ts'
import { type Decision, decide } from './decisions.ts'

export interface DecisionDialogProps {
  readonly siteId: string
  readonly competitor: KnownCompetitor
  readonly onClose: () => void
}

/** Asks before a name is ignored, which nothing here takes back. */
export function IgnoreDialog({ siteId, competitor, onClose }: DecisionDialogProps) {
  const name = showHidden(competitor.name)
  return (
    <Dialog title={`Ignore ${name}?`} onClose={onClose}>
      <p>
        It is removed from all reports of the site, and imports don’t find its name again. To take that back, add it on
        the server: <code>answerlake competitors add</code>.
      </p>
      <Decide
        {...{ siteId, competitor, onClose }}
        title="Ignore"
        decision="ignore"
        done={`${name} is ignored.`}
        body={{}}
      />
    </Dialog>
  )
}

export interface MergeDialogProps extends DecisionDialogProps {
  readonly others: readonly KnownCompetitor[]
}

/** Asks which brand a name belongs to. */
export function MergeDialog({ siteId, competitor, others, onClose }: MergeDialogProps) {
  const ordered = others.toSorted((a, b) => Number(b.confirmed) - Number(a.confirmed) || a.name.localeCompare(b.name))
  const [into, pick] = useState(ordered[0]?.id ?? '')
  const [name, other] = [competitor.name, ordered.find(({ id }) => id === into)?.name ?? ''].map(showHidden)
  return (
    <Dialog title={`${name} is another name of …`} onClose={onClose}>
      <Select
        label="Brand"
        value={into}
        options={ordered.map((one) => ({
          value: one.id,
          title: one.confirmed ? showHidden(one.name) : `${showHidden(one.name)} (not confirmed)`,
        }))}
        onPick={pick}
      />
      <p>
        {`${other} gets the name ${name} as another spelling, with its domains. New answers that say ${name} count for ${other} at once; older ones when the server derives them anew. Nothing here takes that back.`}
      </p>
      <Decide
        {...{ siteId, competitor, onClose }}
        title="Merge"
        decision="merge"
        done={`${name} is a spelling of ${other}.`}
        body={{ into }}
      />
    </Dialog>
  )
}

interface DecideProps extends DecisionDialogProps {
  readonly title: string
  readonly decision: Decision
  readonly done: string
  readonly body: object
}

function Decide({ siteId, competitor, onClose, title, decision, done, body }: DecideProps) {
  const [isBusy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    setBusy(true)
    const isDone = await decide(siteId, competitor.id, decision, { done, body })
    setBusy(false)
    if (isDone) onClose()
  }
  return (
    <div class="dialog-ways">
      <Button onClick={onClose}>Cancel</Button>
      <Button kind={decision === 'ignore' ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void run()}>
        {title}
      </Button>
    </div>
  )
}
