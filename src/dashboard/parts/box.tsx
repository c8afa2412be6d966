import type { ComponentChildren } from 'preact'

export interface BoxProps {
  readonly title: string
  /** One sentence that says what it is for. */
  readonly sentence?: ComponentChildren
  /** Beside the title: the one thing to do here. */
  readonly controls?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a page that shows no measurement: a `Panel` without its ways to look behind numbers. */
export function Box({ title, sentence, controls, children }: BoxProps) {
  return (
    <section class="panel box">
      <header>
        <div class="panel-title">
          <h2>{title}</h2>
          {controls}
        </div>
        {sentence !== undefined && <p class="sentence">{sentence}</p>}
      </header>
      {children}
    </section>
  )
}
