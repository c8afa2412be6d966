/** What stands in for a part until its numbers are there; as high as they will be, so that nothing jumps. */
export function Skeleton({ kind = 'table' }: { readonly kind?: 'chart' | 'table' | 'tiles' }) {
  return (
    <div class={`skeleton skeleton-${kind}`} role="status">
      <span class="unseen">Loading</span>
    </div>
  )
}
