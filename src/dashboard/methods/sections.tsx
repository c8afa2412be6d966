import type { ComponentChildren } from 'preact'

/** A section of "How this is counted": its text says what the API counts, its formulas are those of docs/methods.md. */
export interface MethodSection {
  readonly title: string
  readonly text: () => ComponentChildren
}

const F = ({ children }: { readonly children: ComponentChildren }) => <pre class="formula">{children}</pre>

/** By their anchors, in the order of the page. */
export const METHODS = {
  'mention-rate': {
    title: 'Mention rate',
    text: () => (
      <>
        <F>mention rate = answers that name the brand / answers</F>
        <p>
          Of all answers in the chosen days, engines and categories. An answer counts once, however often it names the
          brand. It is found by its name and the other spellings that the site has. A prompt’s category is the one it
          has today; answers to prompts that have been switched off since still count.
        </p>
      </>
    ),
  },
  'citation-rate': {
    title: 'Citation rate',
    text: () => (
      <>
        <F>citation rate = answers that link to the brand / answers</F>
        <p>
          An answer links to the brand when the host of one of its sources is a domain of the brand or lies under one.
        </p>
      </>
    ),
  },
  coverage: {
    title: 'Coverage',
    text: () => (
      <>
        <F>coverage = prompts with an answer that names the brand / prompts with an answer</F>
        <p>
          Asked ten times, a prompt names a brand more easily at least once than asked twice. Coverage of more days is
          therefore higher by itself; a change of it counts as many answers on both sides.
        </p>
      </>
    ),
  },
  'share-of-voice': {
    title: 'Share of voice',
    text: () => (
      <>
        <F>share of voice = answers that name the brand / the sum of these numbers over all ranked brands</F>
        <p>
          Ranked are the own brand and confirmed competitors. Where nobody is named, the share is 0. A competitor that
          isn’t confirmed adds its own answers to the sum when it is looked at.
        </p>
      </>
    ),
  },
  score: {
    title: 'Visibility Score',
    text: () => (
      <>
        <F>score = 45 × mention rate + 35 × citation rate + 20 × coverage</F>
        <p>From 0 to 100. It puts brands in an order; to see what happened, look at its three parts.</p>
      </>
    ),
  },
  rank: {
    title: 'Rank and position',
    text: () => (
      <>
        <p>
          The rank is 1 and one more for every ranked brand with a higher Visibility Score; equal scores share one. The
          range of ranks is what chance leaves open: at best 1 and one more for each brand that is significantly ahead,
          at worst the number of ranked brands less those that are significantly behind.
        </p>
        <p>
          The position is the mean place of the brand among the brands of an answer, over the answers that name it;
          first is 1.
        </p>
      </>
    ),
  },
  intervals: {
    title: 'Intervals',
    text: () => (
      <>
        <p>
          The range behind a number is its 95 % interval: what the number could be if questions like these had been
          asked. Answers to one prompt resemble each other, so a thousand answers to ten prompts say less than they seem
          to. Not answers but clusters count: a cluster is a prompt, and where one prompt is looked at, a week of it on
          one engine.
        </p>
        <p>
          Cluster j has nⱼ answers, sⱼ of them with what is counted; G clusters, n answers, p their share. The variance,
          the design effect, and how many independent answers would say as much:
        </p>
        <F>
          {
            'V = G / (G − 1) · Σ (sⱼ − p · nⱼ)² / n²\ndesign effect = max(1, V · n / (p · (1 − p)))\nn* = n / design effect · (z / t(G − 1))²'
          }
        </F>
        <p>
          z is 1.96, and t Student’s, which is wider for few clusters. Where p is 0 or 1, the median design effect of
          the other ranked brands stands in, else n* = G. The interval of a rate is Wilson’s, with n* answers; that of
          coverage with as many as there are prompts:
        </p>
        <F>
          {'centre = (p + z² / 2n*) / (1 + z² / n*)\nhalf width = z / (1 + z² / n*) · √(p · (1 − p) / n* + z² / 4n*²)'}
        </F>
        <p>
          Share of voice and score are computed again without each cluster in turn (the jackknife); θ₍₋ⱼ₎ is the value
          without cluster j, and the interval is the value ± t(G − 1) · √V:
        </p>
        <F>{'V = (G − 1) / G · Σ (θ₍₋ⱼ₎ − mean)²'}</F>
        <p>With fewer than two clusters there is no interval.</p>
      </>
    ),
  },
  reliability: {
    title: 'When a number is too thin',
    text: () => (
      <>
        <p>Hatched cells, and numbers that say so, are unreliable. The first of these that holds is the reason:</p>
        <ul>
          <li>few prompts: fewer than 8 clusters</li>
          <li>few answers: fewer than 30 effective answers, the n* of the intervals</li>
          <li>wide: an interval over 30 points</li>
        </ul>
      </>
    ),
  },
  change: {
    title: 'Changes',
    text: () => (
      <>
        <p>
          Like is compared with like. A cell is a prompt on an engine; only cells with answers on both sides count, so a
          prompt that came or went changes nothing. Each cell has the weight w, from its answers n₁ before and n₂ after:
        </p>
        <F>{'w = n₁ · n₂ / (n₁ + n₂)\nchange = Σ w · (p₂ − p₁) / Σ w'}</F>
        <p>
          So a change can differ from the difference of two headlines, which hold all answers. The days compared with
          are as many days before, moved back by whole weeks, so that weekdays meet weekdays.
        </p>
        <p>
          “Up” and “down” are said when chance alone would make such a change in at most 5 % of the cases (p), and in at
          most 10 % of the findings of the whole report (q, by Benjamini and Hochberg). From 12 prompts on, p is
          Student’s; from 6 to 11, the signs of the prompts’ changes are flipped in all ways; with fewer nothing is
          said. A single prompt is judged by its weeks on each engine.
        </p>
        <p>
          An engine that gets a new model moves all its prompts together. No comparison of prompts can tell that from
          what you did, so engines whose model changed are named.
        </p>
      </>
    ),
  },
  quality: {
    title: 'What the measurement can carry',
    text: () => (
      <>
        <p>
          Six numbers grade a measurement: below the first bound it is a first look, from it on a direction can be seen,
          from the second on it carries a decision. The whole is as good as the least of them.
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" class="number">
                Direction
              </th>
              <th scope="col" class="number">
                Decision
              </th>
            </tr>
          </thead>
          <tbody>
            {BOUNDS.map(([what, direction, decision]) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td class="number">{direction}</td>
                <td class="number">{decision}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Agreement is the share of pairs of answers of one prompt, engine and day that both name the own brand or both
          don’t. The noise floor is how far the mention rates of two random halves of such answers differ: 200 splits,
          the 190th difference from the least up. Answers that were asked for at once differ in nothing but chance.
        </p>
      </>
    ),
  },
  answers: {
    title: 'Answers',
    text: () => (
      <p>
        An answer is what one engine said to one prompt on one day, as it was imported or collected. Brands in it are
        marked where they stand; rivals are confirmed competitors and those that were discovered. A question that got no
        answer is missing, and never counts as an answer without a mention.
      </p>
    ),
  },
  citations: {
    title: 'Sources',
    text: () => (
      <>
        <F>share = links to the source / all links of the answers</F>
        <p>
          Links are absolute addresses; repeats count as links, and once as an answer. The domain is the one that was
          registered: en.wikipedia.org is wikipedia.org. Pages are compared without tracking parameters. The owner is
          you for your domain, a competitor for a confirmed one’s, else a third party. Filters on domain, owner and kind
          change neither share nor rank, which go by the answers that cite the source.
        </p>
      </>
    ),
  },
  tone: {
    title: 'Tone',
    text: () => (
      <p>
        Shares are of the answers that name the own brand: positive, neutral, negative. An answer that nobody judged
        counts as neutral, so look at how many were judged. The intervals are those of a rate, over the answers that
        name the brand.
      </p>
    ),
  },
  crawlers: {
    title: 'Crawlers',
    text: () => (
      <p>
        A hit is a line of the access log by a known crawler. It is verified when its address is in the ranges that the
        provider publishes for this crawler, spoofed when they are known and the address is in none of them, and
        unverifiable when none are known. Spoofed hits are left out unless they are asked for. Errors are answers with
        4xx or 5xx; pages are distinct paths, without query.
      </p>
    ),
  },
  visitors: {
    title: 'Visitors',
    text: () => (
      <p>
        A visit is a person’s page view that an answer engine sent: its referrer says so, or else utm_source. Every view
        counts, nothing is merged. Clicks on Google’s result page can’t be told from search and are no visits; images,
        scripts and feeds aren’t either.
      </p>
    ),
  },
  cards: {
    title: 'Actions',
    text: () => (
      <>
        <p>
          A card is what the site’s own numbers show, in the 28 days up to the newest answer or hit. A rule needs 30 of
          them, and a difference that is more than chance. The impact is high when 5 % of the answers are at stake,
          medium from 1 %.
        </p>
        <p>
          Done, a card is measured after 28 days. Its prompts’ change, less that of the prompts it didn’t touch on the
          same engines and days, is the result: improved or declined when chance makes such a difference in at most 5 %
          of the cases. A new model or a season is on both sides and cancels. Six prompts are held against six untouched
          ones at least, one to five against nineteen.
        </p>
      </>
    ),
  },
  scan: {
    title: 'Scans and their cost',
    text: () => (
      <p>
        A scan asks each active prompt of each target as often as the plan says. Before a paid call its highest possible
        price is held against the budget, afterwards its real one counts. With the budget spent, the rest is left out
        and the scan is partial.
      </p>
    ),
  },
  days: {
    title: 'Days',
    text: () => (
      <p>
        Days are UTC. A day without answers is a gap in a line, never 0; a day that isn’t over is dashed. Without days
        in the address, the last 28 days that have data are shown.
      </p>
    ),
  },
} as const satisfies Readonly<Record<string, MethodSection>>

/** An anchor of the page. */
export type Method = keyof typeof METHODS

const BOUNDS = [
  ['Prompts with an answer', '12', '30'],
  ['Answers per prompt, engine and week (median)', '2', '7'],
  ['Categories with 5 prompts or more', '1', '3'],
  ['Share of days with a scan', '50 %', '80 %'],
  ['Engines', '2', '3'],
  ['Agreement of answers of one day', '0.667', '0.8'],
  ['Noise floor, at most', '15 points', '5 points'],
] as const
