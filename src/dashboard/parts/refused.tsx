import type { Refusal } from '../api.ts'
import { forgetReplies } from '../use-reply.ts'
import { Button } from './button.tsx'

/** Why something isn't there, in the service's words. */
export function Refused({ refusal }: { readonly refusal: Refusal }) {
  return (
    <div class="refused" role="alert">
      <p>{refusal.message}</p>
      {refusal.details.map(({ path, message }) => (
        <p key={path}>
          {path}: {message}
        </p>
      ))}
      {refusal.requestId !== undefined && <p class="quiet">Request {refusal.requestId}</p>}
      <Button onClick={forgetReplies}>Try again</Button>
    </div>
  )
}
