import type { Refusal } from '../api.ts'
import { toRefusalLines } from '../refusal-words.ts'
import { forgetReplies } from '../use-reply.ts'
import { Button } from './button.tsx'

/** Why something isn't there, in the service's words. */
export function Refused({ refusal }: { readonly refusal: Refusal }) {
  return (
    <div class="refused" role="alert">
      {toRefusalLines(refusal).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {refusal.requestId !== undefined && <p class="quiet">Request {refusal.requestId}</p>}
      <Button onClick={forgetReplies}>Try again</Button>
    </div>
  )
}
