/** One mistake in the SQL of a report, such as is easily made. */
interface WrongVariant {
  readonly report: string
  readonly spoil: (sql: string) => string
}

function swap(text: string, other: string): (sql: string) => string {
  return (sql) => {
    if (!sql.includes(text)) throw new Error(`the SQL has no ${text}`)
    return sql.replaceAll(text, other)
  }
}

export const WRONG: Readonly<Record<string, WrongVariant>> = {
  'weights of the score': { report: 'visibility', spoil: swap('45 * mention_rate', '44 * mention_rate') },
  'unconfirmed competitors count': { report: 'visibility', spoil: swap(' AND ranked) b', ') b') },
  'hosts under a domain are left out': { report: 'visibility', spoil: swap('substr(h.host', "substr('x'") },
  'a link counts as often as it stands there': {
    report: 'visibility',
    spoil: swap('count(DISTINCT answer_no)', 'count(answer_no)'),
  },
  'an answer counts as often as it cites a domain': {
    report: 'citations by domain',
    spoil: swap('CASE WHEN is_first THEN 1 ELSE 0 END', '1'),
  },
  'links without a page count': { report: 'citations by page', spoil: swap(' AND r.page_no IS NOT NULL', '') },
  'the own brand is a competitor': {
    report: 'citations by domain',
    spoil: swap('CASE WHEN b.owned THEN 1 ELSE 2 END', '2'),
  },
  "a site's own kinds of sources are passed over": {
    report: 'citations by domain',
    spoil: swap('s.source_kind, k.source_kind', 'k.source_kind, s.source_kind'),
  },
  'domains of a hosting service have no kind': {
    report: 'citations by page',
    spoil: swap(", u.source_kind, 'unknown'", ", 'unknown'"),
  },
  'not judged is negative': { report: 'sentiment', spoil: swap('tone = 3', '(tone = 3 OR tone = 0)') },
  'every answer names us': { report: 'sentiment', spoil: swap('CASE WHEN o.answer_no IS NULL THEN 0 ELSE 1 END', '1') },
  'spoofed hits count': { report: 'bots', spoil: (sql) => sql.replace('r.verification_no <> 1', '1 = 1') },
  'days of UTC': { report: 'bots', spoil: (sql) => sql.replace(/ \+ (CASE .*? END|\d+) AS slot/, ' AS slot') },
  'a page counts as often as it was visited': {
    report: 'referrals',
    spoil: swap('count(DISTINCT path_no)', 'count(path_no)'),
  },
  'the last day is left out': {
    report: 'answers',
    spoil: (sql) =>
      sql.replaceAll(/BETWEEN (DATE '[^']*') AND (DATE '[^']*')/g, "BETWEEN $1 AND $2 - INTERVAL '1' DAY"),
  },
}
