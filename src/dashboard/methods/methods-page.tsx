import { useEffect } from 'preact/hooks'
import { StandIn } from '../parts/later-part.tsx'
import { MethodText, useMethodSections } from './method-sections.tsx'
import type { MethodSection } from './read-sections.ts'

/** All sections, each under its anchor. */
export function MethodsPage() {
  const sections = useMethodSections()
  return sections ? <Sections sections={sections} /> : <StandIn isMissing={sections === null} />
}

function Sections({ sections }: { readonly sections: readonly MethodSection[] }) {
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <div class="panel methods">
      <ul class="contents">
        {sections.map(({ anchor, title }) => (
          <li key={anchor}>
            <a href={`#${anchor}`}>{title}</a>
          </li>
        ))}
      </ul>
      {sections.map(({ anchor, title, text }) => (
        <section key={anchor} id={anchor} class="prose">
          <h2>{title}</h2>
          <MethodText text={text} />
        </section>
      ))}
    </div>
  )
}
