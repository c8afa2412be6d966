/** Steps of how-to answers by the topic of the prompt. */
export const STEPS: Readonly<Record<string, readonly string[]>> = {
  'response time': [
    'Measure the current first response time per channel and hour of the day.',
    'Sort the queue by waiting time instead of by last update.',
    'Use an automatic reply that sets an honest expectation.',
    'Move the five most common questions into self-service.',
    'Schedule agents by ticket volume, not by office hours.',
    'Review tickets that waited longest once a week and remove the cause.',
    'Give agents saved replies for the first answer, then let them add the personal part.',
  ],
  'service levels': [
    'Decide which promises you can keep: first response, next response, resolution.',
    'Define business hours and holidays before any timer runs.',
    'Create one policy per customer tier and keep the number small.',
    'Warn the owner before a target is missed, not afterwards.',
    'Exclude time spent waiting for the customer.',
    'Report on missed targets by cause every month.',
  ],
  migration: [
    'Export a full backup and count tickets, contacts and attachments.',
    'Clean up tags, views and macros that nobody uses.',
    'Map custom fields on paper before the first test import.',
    'Run a trial migration with a sample of 500 tickets.',
    'Forward support addresses only after the second test succeeded.',
    'Keep the old system readable for at least three months.',
    'Import again the tickets that changed during the switch.',
  ],
  'shared inbox': [
    'Connect the support address and verify SPF, DKIM and DMARC.',
    'Agree on who owns a conversation and when it counts as closed.',
    'Set up views for unassigned, mine and waiting.',
    'Turn on collision detection so that nobody answers twice.',
    'Write internal notes instead of forwarding email.',
    'Archive newsletters and alerts by rule on arrival.',
  ],
  'canned responses': [
    'Collect the twenty questions that cause most of the volume.',
    'Write the answer the way you would say it on the phone.',
    'Leave placeholders for the name, the order and the next step.',
    'Keep one idea per reply so that agents can combine them.',
    'Give every reply an owner and a review date.',
    'Delete what has not been used for six months.',
  ],
  'knowledge base': [
    'Start with the questions of the last month instead of a product tour.',
    'Write one article per question, with the answer in the first paragraph.',
    'Use the words of your customers in titles.',
    'Add screenshots only where text is not enough, because they age fast.',
    'Ask below every article whether it helped, and read the comments.',
    'Review articles whenever the product changes.',
    'Link articles from the contact form before the form itself.',
  ],
  routing: [
    'Define teams by skill first and by language second.',
    'Route by form field or topic; leave keyword rules for exceptions.',
    'Limit the number of open tickets an agent can hold.',
    'Send urgent topics to a queue that somebody watches all day.',
    'Log every rule that fired so that mistakes can be traced.',
    'Check misrouted tickets weekly and adjust one rule at a time.',
  ],
  deflection: [
    'Pick topics with a clear answer: order status, passwords, opening hours.',
    'Clean up the help center, because the AI will only be as good as its sources.',
    'Let the assistant answer in a test group for two weeks.',
    'Offer a human in every reply and watch how often it is chosen.',
    'Count resolved conversations, not conversations without a reply.',
    'Read fifty transcripts a week and correct the sources.',
  ],
  satisfaction: [
    'Ask one question right after the conversation was closed.',
    'Use the same scale for all channels.',
    'Read comments before you look at the average.',
    'Separate feedback about the product from feedback about support.',
    'Compare teams only with enough answers, at least thirty each.',
    'Follow up on bad ratings within two working days.',
  ],
  'weekend staffing': [
    'Look at ticket volume by hour for the last eight weekends.',
    'Offer rotating shifts with a day off during the week.',
    'Define which topics wait until Monday and say so in the automatic reply.',
    'Keep one person on call for outages.',
    'Use self-service and status pages to take pressure off the team.',
    'Check after six weeks whether the effort pays off.',
  ],
}

type Kind = 'buying' | 'practice' | 'brand'

/** General advice; answers use it to close and to reach their length. */
export const ADVICE: Readonly<Record<Kind, readonly string[]>> = {
  buying: [
    'Run a trial with real tickets before you sign an annual contract.',
    'Check which features sit behind the higher plans.',
    'Ask for a data export test, so that leaving later stays possible.',
    'Prices and features change often, so confirm them on the vendor page.',
    'Count the cost of add-ons such as AI, voice and extra storage.',
    'Let two or three agents test the product for a week.',
    'Look at reviews from teams of your own size.',
    'Make sure that the reporting covers the figures your management asks for.',
    'Security reviews take time; request the documents early.',
    'If you already have a CRM, test the connector first.',
    'A smaller tool that everybody uses beats a suite that nobody configures.',
    'Plan two weeks for onboarding, including macros and views.',
    'Regional hosting may matter if you handle personal data.',
    'Most vendors give discounts for startups and nonprofits on request.',
    'Independent tests differ in method, so compare more than one.',
    'For teams under five agents, simplicity matters more than automation.',
    'Service levels and business hours are worth checking in the fine print.',
    'Review volume is uneven: newer products have fewer data points.',
  ],
  practice: [
    'Change one thing at a time, otherwise you will not know what helped.',
    'Write down the starting point before you begin.',
    'Involve the agents early, because they know where time is lost.',
    'Do not automate a process that nobody understands.',
    'Give the new routine four weeks before you judge it.',
    'Share the results with the product team.',
    'Small teams can skip the steps that need a dedicated admin.',
    'Check that reports exclude spam and internal tickets.',
    'Customers forgive a slow answer more easily than a wrong promise.',
    'Keep the documentation next to the queue, not in a separate drive.',
    'If volume doubles in certain months, plan for the peak.',
    'Most helpdesks support this without extra cost.',
  ],
  brand: [
    'Reviews differ by team size, so filter for companies like yours.',
    'Check the vendor’s status page and changelog for the last months.',
    'A trial with your own data tells more than any review.',
    'Ask the vendor for references in your industry.',
    'Plans and limits change often; the current ones are on the vendor’s site.',
    'Most of the sources are from the last twelve months.',
    'Older reviews describe a version that no longer exists.',
    'Contract terms depend on the region and on the number of seats.',
    'Community posts are not representative, but they show recurring topics.',
    'Ask in writing what happens to your data after you cancel.',
    'Compare at least two vendors before you sign.',
    'The free plan is enough to form a first opinion.',
  ],
}

export const ADVICE_HEADINGS: Readonly<Record<Kind, readonly string[]>> = {
  buying: ['Before you decide', 'How to choose', 'What to check', 'Things to consider'],
  practice: ['Common pitfalls', 'Tips from practice', 'Keep in mind', 'What helps'],
  brand: ['Good to know', 'What to check', 'Limits of this summary', 'Keep in mind'],
}

export const QUESTIONS: Readonly<Record<Kind, readonly string[]>> = {
  buying: [
    'If you share your team size and channels, I can narrow this down.',
    'Would you like a comparison for a specific budget?',
    'Tell me which channels you use, and I can suggest a shortlist.',
    'Do you want me to draft evaluation criteria for your team?',
  ],
  practice: [
    'Would you like a checklist for your team?',
    'Tell me your ticket volume, and I can suggest targets.',
    'Do you want an example for a team of five?',
  ],
  brand: [
    'Would you like a list of questions for the sales call?',
    'Tell me what matters most to you, and I can look closer.',
    'Shall I compare it with another vendor?',
  ],
}

export const SUMMARIES: Readonly<Record<Kind, readonly string[]>> = {
  buying: [
    'In short, match the tool to your channels and your budget.',
    'Bottom line: shortlist two, test both, decide after two weeks.',
    'Overall, the best fit is the one your agents adopt quickly.',
    'To sum up, features are close; price model and effort make the difference.',
  ],
  practice: [
    'In short: measure, simplify, then automate.',
    'Repeat the cycle every quarter.',
    'With these basics in place, tools make a visible difference.',
    'Start with the first two steps this week.',
  ],
  brand: [
    'Overall, test it against your own requirements.',
    'As always, individual experience may differ.',
    'Taken together, the sources support a cautious conclusion.',
    'A short trial will answer most of the open points.',
  ],
}
