import { useState } from 'preact/hooks'
import type { CompetitorEvidence } from '../../../http/dashboard/operations/competitors.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { compareTexts } from '../../format.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Select } from '../../parts/field.tsx'
import { decide } from './decisions.ts'

export interface DecisionDialogProps {
  readonly siteId: string
  readonly competitor: CompetitorEvidence
  readonly onClose: () => void
}

/** Asks before a name is ignored, which nothing here takes back. */
export function IgnoreDialog({ siteId, competitor, onClose }: DecisionDialogProps) {
  const name = showHidden(competitor.name)
  return (
    <DialogForm
      title={`Ignore ${name}?`}
      action="Ignore"
      kind="danger"
      onSubmit={async () => {
        await decide(siteId, competitor.id, 'ignore', { done: `${name} is ignored.` })
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        It is removed from all reports of the site, and imports don’t find its name again. To take that back, add it on
        the server: <code>answerlake competitors add</code>.
      </p>
    </DialogForm>
  )
}

export interface MergeDialogProps extends DecisionDialogProps {
  readonly others: readonly CompetitorEvidence[]
}

/** Asks which brand a name belongs to. */
export function MergeDialog({ siteId, competitor, others, onClose }: MergeDialogProps) {
  const ordered = others.toSorted((a, b) => Number(b.confirmed) - Number(a.confirmed) || compareTexts(a.name, b.name))
  const [into, pick] = useState(ordered[0]?.id ?? '')
  const [name, other] = [competitor.name, ordered.find(({ id }) => id === into)?.name ?? ''].map(showHidden)
  return (
    <DialogForm
      title={`${name} is another name of …`}
      action="Merge"
      onSubmit={async () => {
        await decide(siteId, competitor.id, 'merge', { done: `${name} is a spelling of ${other}.`, body: { into } })
        onClose()
      }}
      onClose={onClose}
    >
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
    </DialogForm>
  )
}
