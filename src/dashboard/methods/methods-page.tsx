import { useEffect } from 'preact/hooks'
import { METHODS } from './sections.tsx'

const SECTIONS = Object.entries(METHODS)

/** All sections, each under its anchor. */
export function MethodsPage() {
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <div class="panel methods">
      <ul class="contents">
        {SECTIONS.map(([anchor, { title }]) => (
          <li key={anchor}>
            <a href={`#${anchor}`}>{title}</a>
          </li>
        ))}
      </ul>
      {SECTIONS.map(([anchor, { title, text }]) => (
        <section key={anchor} id={anchor} class="prose">
          <h2>{title}</h2>
          {text()}
        </section>
      ))}
    </div>
  )
}
