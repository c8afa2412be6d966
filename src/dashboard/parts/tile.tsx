import type { ComponentChildren } from 'preact'
import { toCount } from '../format.ts'
import { MethodLink } from '../methods/method-link.tsx'
import type { PanelProps } from './panel.tsx'
import { Ways } from './ways.tsx'

export interface TileProps {
  readonly title: string
  /** The headline, as it is written: `29 %`. */
  readonly value: string
  /** What the headline is, as the API names it, and its exact value; the page says both. */
  readonly metric?: string
  readonly exact?: number | null
  /** What the number says, with its counts and interval: `named in 412 of 1,440 answers, 26–31 %`. */
  readonly sentence: ComponentChildren
  /** A `Verdict`, and against what: `than 21 Sep – 18 Oct`. */
  readonly change?: ComponentChildren
  /** A `Sparkline`. */
  readonly trend?: ComponentChildren
  /** The view that shows more. */
  readonly href?: string | undefined
}

/** A headline number as a sentence. */
export function Tile({ title, value, metric, exact, sentence, change, trend, href }: TileProps) {
  return (
    <section class="tile">
      <h2>{href === undefined ? title : <a href={href}>{title}</a>}</h2>
      <p class="headline" data-metric={metric} data-value={exact}>
        {value}
      </p>
      <p class="sentence">{sentence}</p>
      {change !== undefined && <p class="tile-change">{change}</p>}
      {trend}
    </section>
  )
}

export interface CountTileProps extends Omit<TileProps, 'value' | 'exact'> {
  readonly count: number
}

/** A count as the headline. */
export function CountTile({ count, ...tile }: CountTileProps) {
  return <Tile {...tile} value={toCount(count)} exact={count} />
}

export interface TilesPartProps extends Pick<PanelProps, 'questions' | 'method'> {
  /** The heading that those hear who don't see the tiles, and the name of the file. */
  readonly title: string
  readonly children: ComponentChildren
}

/** Tiles beside each other, in a panel. */
export function Tiles({ children }: Pick<TilesPartProps, 'children'>) {
  return <div class="tiles">{children}</div>
}

/** Tiles that are no part of a panel, with what a panel has below it. */
export function TilesPart({ title, questions, method, children }: TilesPartProps) {
  return (
    <>
      <h2 class="unseen">{title}</h2>
      <Tiles>{children}</Tiles>
      <footer class="panel-ways">
        <Ways questions={questions} title={title} />
        <MethodLink method={method} />
      </footer>
    </>
  )
}
