import type { Category } from '../../../src/domain/enums.ts'

/** First sentences. `{topic}` is the prompt's topic, `{first}` the first brand of the answer where there is one. */
export const OPENINGS: Readonly<Record<Category, readonly string[]>> = {
  Discovery: [
    '{first} is the name that comes up most often for {topic}, but it is not the only good choice.',
    '{first} leads most current lists of {topic}.',
    'The right choice for {topic} depends on team size, channels and budget.',
    'If you are looking for {topic}, a handful of products come up again and again in current reviews.',
    'There is no single best option for {topic}, but these are the ones most teams shortlist in 2026.',
    'Here is a short overview of {topic}, based on recent comparisons and user feedback.',
    'For {topic}, reviewers mainly weigh ease of use, automation and total cost.',
    'Several vendors offer {topic}; the differences lie in automation depth, pricing and onboarding effort.',
    'Based on reviews and product documentation, these are strong candidates for {topic}.',
  ],
  Comparison: [
    'Both sides of this comparison cover the basics of ticketing, so the decision comes down to depth, price and effort.',
    'Here is how the options compare on the points that matter in daily support work.',
    'The short version: they target different kinds of teams.',
    'On paper the feature lists look alike; in practice the products feel quite different.',
    'Which one is better depends on how your team works today and how fast it grows.',
    'The main differences are in automation, reporting and the way each vendor charges.',
    '{first} and the other options here overlap in ticketing, yet they differ in price and administration.',
  ],
  Alternatives: [
    'There are several credible alternatives, depending on why you want to switch.',
    'Teams that look for a replacement usually want a lower price, less administration or better automation.',
    'These options are mentioned most often when teams move away from their current tool.',
    'Before you switch, list the three workflows you cannot lose, then compare these products against them.',
    'Good replacements exist at every price point; here are the ones worth a trial.',
    'Depending on budget and channels, the following products are realistic replacements.',
    'Most people who ask this question end up with {first} or one of the options below it.',
  ],
  'How-to': [
    'You can get most of the way with a clear process before you buy any new software.',
    'The steps below work for teams of almost any size.',
    'Start small, measure, and only then automate.',
    'A practical approach looks like this.',
    'Most teams see results within a few weeks if they follow a simple sequence.',
    'Here is a step-by-step approach that support leads describe as reliable.',
  ],
  Pricing: [
    'Helpdesk pricing is usually per agent and month, with discounts for annual billing.',
    'Prices vary widely, and list prices rarely tell the whole story.',
    'Expect to pay between $15 and $60 per agent each month for a mainstream product.',
    'The published prices below are starting points; add-ons can change the picture.',
    'What you pay depends on seats, channels and how much AI you use.',
    '{first} publishes its list prices, and so do most of the others.',
    'For a team of ten, yearly cost differs by a factor of four between the cheapest and the most expensive option.',
  ],
  Brand: [
    'Here is what public sources say.',
    'Based on reviews, documentation and community posts, the picture is as follows.',
    'Short answer first, details below.',
    'Public information paints a fairly consistent picture.',
    'This summary draws on user reviews and the vendor documentation.',
  ],
}

/** First sentences of answers that name the brand to be replaced. */
export const REPLACEMENT_OPENINGS = [
  'If {name} no longer fits, these products are realistic replacements.',
  'Teams leave {name} mostly because of {minus}; the alternatives differ in how they solve that.',
  '{name} has several credible competitors, depending on what you miss today.',
  'When {names} limits become a problem, look at price, automation and the cost of moving.',
  'People who replace {name} usually want a lower price, less administration or better automation.',
]

/** How a brand is introduced; `{name}` and `{names}` (possessive) are spellings, `{plus}` a strength, `{who}` an audience. */
export const BRAND_SENTENCES = [
  '{name} offers {plus}.',
  '{name} stands out for {plus}.',
  'Teams pick {name} mostly for {plus}.',
  '{names} main draw is {plus}.',
  '{name} is often recommended to {who} because of {plus}.',
  'With {plus}, {name} suits {who}.',
  'Reviewers like {names} focus on {who} and mention {plus}.',
  '{name} is a common choice for {who}, thanks to {plus}.',
  '{name}-based workflows are popular with {who} because of {plus}.',
  'For {who}, {names} strongest argument is {plus}.',
]
export const CHOOSE_IF = [
  'Choose {name} if you need {plus}.',
  'Go with {name} when you can live with {minus}.',
  '{name} is the safer pick for {who}.',
  'Pick {name} if your team belongs to {who}.',
]
export const BRAND_FRAGMENTS = [
  '{plus}. Best for {who}.',
  'known for {plus}.',
  '{plus}; starts at {price}.',
  'a good fit for {who}, with {plus}.',
  'strong on {plus}, weaker because of {minus}.',
  '{plus}, though users mention {minus}.',
]
export const DRAWBACKS = [
  'The usual complaint is {minus}.',
  'On the downside, users report {minus}.',
  'Keep in mind {minus}.',
  'Less convincing: {minus}.',
]
export const AFTERTHOUGHTS = [
  'If none of these fit, {name} is worth a look as well.',
  'Some teams also mention {name} for {plus}.',
  '{name} rounds off the list for {who}.',
  'A smaller option that comes up is {name}, with {plus}.',
]
export const PRAISE = [
  'Users rate {name} highly and single out {plus}.',
  'Feedback on {name} is clearly favourable, especially on {plus}.',
  'Customers praise {names} support and {plus}.',
  'Overall sentiment about {name} is very good.',
]
export const CRITICISM = [
  'Recent feedback on {name} is mostly critical: reviewers describe {minus}.',
  'Many customers report problems with {name}, above all {minus}.',
  'Complaints about {name} have piled up this year, often about {minus}.',
  'Several long-time customers say they would not choose {name} again because of {minus}.',
]

/** Statements about the own brand for questions that ask about it, by topic and by how the answer judges it. */
export const BRAND_TOPICS: Readonly<
  Record<string, { readonly fair: readonly string[]; readonly harsh: readonly string[] }>
> = {
  overview: {
    fair: [
      'It is a cloud helpdesk that combines a shared inbox, a help center and basic automation.',
      'The product is aimed at teams of 3 to 80 agents and sold by subscription.',
      'The company also publishes an API and a library of migration guides.',
    ],
    harsh: [
      'It covers the basics, but reviewers call it thin next to older suites.',
      'Larger teams tend to outgrow it.',
    ],
  },
  ecommerce: {
    fair: [
      'Order lookups work through connectors, so agents see the last purchases next to a conversation.',
      'Macros for returns and shipping questions are included from the second plan on.',
      'Shops with more than a few thousand tickets a month usually add a separate chat tool.',
    ],
    harsh: [
      'Order editing inside the ticket is missing, which slows agents down.',
      'Peak seasons expose its simple queues.',
    ],
  },
  integrations: {
    fair: [
      'There are native connectors for the common CRM systems and a webhook API for the rest.',
      'Contact data is synchronized every few minutes in both directions.',
      'Custom fields can be mapped, but only on the larger plans.',
    ],
    harsh: ['The connector drops custom fields without a warning.', 'Webhook documentation is outdated in places.'],
  },
  privacy: {
    fair: [
      'Customer data can be kept in the European Union, and a data processing agreement is available.',
      'Deletion requests can be handled per contact, including attachments.',
      'Audit logs are part of the largest plan only.',
    ],
    harsh: [
      'Sub-processors are listed, but changes are announced late.',
      'Export of all personal data needs a support ticket.',
    ],
  },
  outages: {
    fair: [
      'The status page lists an availability of 99.9 percent for the last quarter.',
      'Incidents are documented, with a short report after each one.',
    ],
    harsh: [
      'The status page shows several incidents since summer, some of them longer than three hours.',
      'During the September incident, incoming email was delayed for most of a working day.',
      'Agents describe a slow interface on Monday mornings and lost drafts.',
      'Credits for downtime have to be requested by hand.',
    ],
  },
  complaints: {
    fair: [
      'Most published reviews are balanced, with four of five stars on average.',
      'Complaints concern single features.',
    ],
    harsh: [
      'The most frequent complaints concern slow replies from the vendor, missing integrations and surprise charges.',
      'Users in several forums describe tickets to the vendor that stayed open for weeks.',
      'The mobile app draws criticism for missing notifications.',
      'Some reviewers feel that promised features have been postponed again and again.',
    ],
  },
  billing: {
    fair: ['Invoices can be downloaded, and plans can be changed during the month.', 'Unused seats are credited.'],
    harsh: [
      'Customers describe charges for agents who had been removed weeks before.',
      'Downgrades take effect only at the end of the annual term, which surprises many buyers.',
      'Refund requests are said to take more than a month.',
      'The switch to new plans in spring raised prices for some teams by a third.',
    ],
  },
  churn: {
    fair: [
      'Churn is not published; some teams leave when they need voice support.',
      'Others stay because of the price.',
    ],
    harsh: [
      'The reasons named most often are missing voice support, simple reporting and reliability.',
      'Teams beyond 50 agents say that permissions and queues no longer scale.',
      'A lack of progress on the roadmap is another recurring theme.',
      'Several former customers moved to larger suites after repeated delays.',
    ],
  },
}

/** What an answer says when it doesn't know the brand that it was asked about. */
export const UNKNOWN_BRAND = [
  'I could not find enough reliable information about this product to give a firm answer.',
  'There is little independent coverage of this vendor in the sources available to me.',
  'The name appears in a few directories, but without details that could be verified.',
]

/** What an answer says when it recommends nobody. */
export const CRITERIA = [
  'Products in this field differ less in features than in price model and effort.',
  'The first question is how many channels you need: email only, chat, phone or social networks.',
  'Automation pays off from about five hundred tickets a month.',
  'Independent directories list more than two hundred products, most of them for a niche.',
  'Decide early whether agents work in one shared queue or in teams.',
  'Reporting is often the point where cheap products fall short.',
  'AI functions are charged per seat by some vendors and per resolved conversation by others.',
  'A product that fits twenty agents well may be a burden for five.',
]
export const HEADINGS = ['Top options', 'Best overall picks', 'What reviewers recommend', 'Shortlist', 'Key options']
export const BEFORE_LIST = [
  'Options worth a look:',
  'Here is a shortlist:',
  'The most frequently named products:',
  'These are the top picks:',
  'Reviewers keep coming back to these names:',
]
