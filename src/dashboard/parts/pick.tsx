import type { ComponentChildren } from 'preact'

export interface PickProps {
  /** Where it leads, or what it changes here; without it, it is only text. */
  readonly to: string | (() => void) | undefined
  /** What it does, where the text alone doesn't say it. */
  readonly label?: string | undefined
  readonly class?: string | undefined
  readonly title?: string
  readonly children: ComponentChildren
}

/** A value that can be looked into: a link to where there is more, or a button that makes it a filter. */
export function Pick({ to, label, class: name, title, children }: PickProps) {
  if (to === undefined) return <>{children}</>
  if (typeof to === 'string') {
    return (
      <a href={to} class={name} title={title} aria-label={label}>
        {children}
      </a>
    )
  }
  return (
    <button
      type="button"
      class={name === undefined ? 'link' : `link ${name}`}
      title={title}
      aria-label={label}
      onClick={to}
    >
      {children}
    </button>
  )
}
