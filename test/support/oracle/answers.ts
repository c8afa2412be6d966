import type { AnswersRequest } from '../../../src/reports/answers/contract.ts'
import { isUnder } from './links.ts'
import { ascending, descending, inOrderOf, nullsLast } from './order.ts'
import type { OracleAnswer, Truth } from './truth.ts'

/** Rows of the stored answers (contract/api 5.8, 11.7 and 12.5); `id` is null where the program makes it. */
export function expectAnswers(truth: Truth, request: AnswersRequest): Record<string, unknown>[] {
  const { start_date, end_date, platforms, prompt_ids, include } = request
  const order = inOrderOf<OracleAnswer>(
    descending(({ day }) => day),
    nullsLast(({ askedAtMs }) => askedAtMs, descending),
    ascending(({ id }) => id ?? ''),
  )
  return truth.answers
    .filter(({ day }) => day >= start_date && day <= end_date)
    .filter(({ platform }) => platforms?.includes(platform) ?? true)
    .filter(({ prompt }) => prompt_ids?.includes(prompt.id) ?? true)
    .sort(order)
    .map((answer) => ({
      id: answer.id,
      ...Object.fromEntries(
        Object.entries(toFields(truth, answer)).filter(([field]) => include.some((name) => name === field)),
      ),
    }))
}

function toFields({ world: { site } }: Truth, answer: OracleAnswer): Record<string, unknown> {
  const ownPosition = answer.brands.findIndex(({ isOwn }) => isOwn) + 1
  return {
    date: answer.day,
    platform: answer.platform,
    prompt: { id: answer.prompt.id, text: answer.prompt.text },
    text: answer.text,
    brand_mentioned: ownPosition > 0,
    brand_position: ownPosition > 0 ? ownPosition : null,
    sentiment: answer.sentiment,
    mentions: answer.brands.map(({ name }) => name),
    citations: answer.links.map(({ url, domain, title, position, host }) => ({
      url,
      domain,
      title,
      position,
      own_site: isUnder(host, site.domain),
    })),
    model: answer.model,
    provider: answer.provider,
    market: answer.market,
    asked_at: answer.askedAtMs === null ? null : `${new Date(answer.askedAtMs).toISOString().slice(0, 19)}Z`,
    search_queries: toStored(answer.searches),
    consulted: answer.consulted?.map((source) => toSource(source)) ?? null,
  }
}

const DOMAINS = new Map([
  ['https://docs.example.org/a', 'example.org'],
  ['https://en.wikipedia.org/wiki/CRM', 'wikipedia.org'],
])

function toSource(source: NonNullable<OracleAnswer['consulted']>[number]): object {
  const { url, title = '' } = typeof source === 'string' ? { url: source } : source
  return { url, domain: DOMAINS.get(url) ?? null, title }
}

/** A list without any text is no list. */
function toStored(searches: readonly string[] = []): readonly string[] | null {
  const texts = searches.filter((search) => search.trim() !== '')
  return texts.length === 0 ? null : texts
}
