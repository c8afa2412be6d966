import type { ComponentChildren } from 'preact'

/** A page with one thing to say: sign-in, nothing here, not reachable. */
export function MessagePage({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <main class="message-page">
      <p class="brand" aria-hidden="true">
        answerlake
      </p>
      <section class="message">
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  )
}
