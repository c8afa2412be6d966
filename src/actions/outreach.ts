import type { SourceKind } from '../domain/enums.ts'

interface Place {
  readonly brand: string
  /** A page or a domain, as people write it. */
  readonly place: string
}

/** What a marketer can do to be on a source of this kind. */
export function toOutreach(kind: SourceKind, names: Place): string {
  return (ADVICE[kind] ?? askAuthors)(names)
}

const writeAlong = ({ brand, place }: Place): string =>
  `Find out who writes at ${place}, offer them what only ${brand} knows (numbers, examples, an interview), and publish there yourself.`

const askAuthors = ({ brand, place }: Place): string =>
  `Write to the authors of ${place}: say what is missing without ${brand}, offer access and facts that they can check, and ask for a place in the next update with a link to your site.`

const ADVICE: Readonly<Partial<Record<SourceKind, (names: Place) => string>>> = {
  forum: ({ brand, place }) =>
    `Take part in the discussion at ${place} under your own name: answer what is asked, say that you are from ${brand}, and link to the page that goes into detail.`,
  video: ({ brand, place }) =>
    `Ask the makers of ${place} to show ${brand}: offer them access, a demonstration and the facts on one page.`,
  review: ({ brand, place }) =>
    `Claim or complete the profile of ${brand} at ${place}, and ask customers to write about it there.`,
  marketplace: ({ brand, place }) =>
    `List ${brand} at ${place} with complete facts, prices and pictures, and link to your own site from there.`,
  social: writeAlong,
  publishing: writeAlong,
}
