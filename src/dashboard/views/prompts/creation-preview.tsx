import type { PromptUsage } from '../../../http/dashboard/operations/get-prompt-usage.ts'
import { toCount, toCountOf } from '../../format.ts'
import { Fault } from '../../parts/fault.tsx'
import type { Creation } from './changes.ts'

const SHOWN = 6

/** What adding prompts would do; nothing has been changed yet. */
export function CreationPreview({
  creation,
  usage,
}: {
  readonly creation: Creation
  readonly usage: PromptUsage | undefined
}) {
  const { created, existing } = creation
  const off = existing.filter(({ status }) => status === 'disabled').length
  return (
    <section class="creation" aria-live="polite">
      <p>
        <b>{toCountOf(created.length, 'prompt')} would be added</b>
        {existing.length === 1 && '; 1 is here already and stays as it is'}
        {existing.length > 1 && `; ${toCount(existing.length)} are here already and stay as they are`}
        {off > 0 && (existing.length === 1 ? ', switched off' : `, ${toCount(off)} of them switched off`)}.
      </p>
      {usage !== undefined && created.length > usage.free && (
        <Fault
          text={`The plan allows ${toCount(usage.limit)} prompts that are switched on; ${toCount(usage.active)} are, so only ${toCount(usage.free)} more fit. Leave some out, or switch others off first.`}
        />
      )}
      <ul>
        {created.slice(0, SHOWN).map(({ text, category, market }) => (
          <li key={text}>
            <span dir="auto">{text}</span>{' '}
            <small class="quiet">
              {category}
              {market !== null && `, ${market}`}
            </small>
          </li>
        ))}
        {created.length > SHOWN && <li class="quiet">and {toCount(created.length - SHOWN)} more</li>}
      </ul>
    </section>
  )
}
