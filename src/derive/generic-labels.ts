/**
 * Whether the words of a label name no product but describe products, as the headings and bold labels of most answers do:
 * `Pros`, `Key features`, `Best for small teams`, `Preis`. Case makes no difference.
 */
export function isGenericLabel(words: readonly string[]): boolean {
  const lower = words.map((word) => word.toLowerCase()).filter((word) => !/^\d+$/.test(word))
  return (
    STARTS.has(lower[0] ?? '') || lower.some((word) => ANYWHERE.has(word)) || lower.every((word) => WORDS.has(word))
  )
}

/** With these a heading or a remark begins, whatever follows. */
const STARTS = toSet(`
  are avoid best bottom can choose choosing compare consider do does final find for how if is key look most other our pros quick
  step tip top what when where which who why your`)

/** Words of headings that no product has in its name. */
const ANYWHERE = toSet(`
  audience comparison cons considerations disadvantages drawbacks faq faqs limitations pricing pros takeaway takeaways verdict versus vs
  fazit nachteile vorteile zielgruppe avantages inconvénients ventajas desventajas prezzi preço preços precios tarifs`)

/** A label made of nothing but these is no name. English first, then German, French, Spanish, Italian, Portuguese. */
const WORDS = toSet(`
  a additional advantages affordability alternative alternatives an analytics and api app apps at audience automation
  availability basic beginners benefits beta big budget business businesses by capabilities collaboration companies company
  comparison compliance conclusion cons considerations content cost costs crm customer customers customization dashboard
  dashboards data decision deployment design developers disadvantages downsides drawbacks ease easy email enterprise
  enterprises example examples experience factors faq faqs feature features flexibility focus free freelancers from fully
  functionality general great growing guide highlights honorable ideal in individuals integration integrations interface
  introduction is it large learning limitation limitations limited line management marketing market medium mentions methodology
  mobile money more no note notes of on online open option options or overall overview performance plan plans platform platforms
  points popular popularity practices premium price prices pricing privacy pro product products pros quality questions range
  rating ratings reason recommendation recommendations references reliability reporting reports requirements results reviews
  runner-up sales scalability score security service services set setup shipping short simple size small software solution
  solutions source sources specific speed standout starting startups strengths strong suitability summary support table takeaway
  takeaways team teams testing the things tier tiers time tips to tool tools training trial tutorial type types up
  upside usability use user users value verdict vs warranty weak weaknesses website with workflow workflows you
  anwendung bewertung eigenschaften empfehlung fazit funktionen für geeignet hinweis kosten kundenservice merkmale nachteile
  preis preise übersicht vergleich vorteile zielgruppe zusammenfassung
  avantages caractéristiques comparaison faibles fonctionnalités forts idéal inconvénients pour prix résumé tarif tarifs
  características comparación conclusión contras desventajas fuertes funciones para precio precios puntos resumen ventajas
  caratteristiche conclusione contro prezzi prezzo svantaggi vantaggi
  conclusão desvantagens preço preços recursos resumo vantagens`)

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
