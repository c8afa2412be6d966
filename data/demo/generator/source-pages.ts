import type { Category } from '../../../src/domain/enums.ts'
import { LOST_OWN_PAGES } from '../truths.ts'

/** A page that answers cite; without `categories` it fits every question. */
export interface SourcePage {
  readonly url: string
  readonly title: string
  readonly categories?: readonly Category[]
  readonly weight?: number
}

const SHOPPING: readonly Category[] = ['Discovery', 'Comparison', 'Alternatives', 'Pricing']
const KNOWLEDGE: readonly Category[] = ['How-to', 'Discovery']

export const THIRD_PARTY_PAGES: readonly SourcePage[] = [
  { url: 'https://en.wikipedia.org/wiki/Help_desk', title: 'Help desk - Wikipedia', weight: 4 },
  { url: 'https://en.wikipedia.org/wiki/Help_desk_software', title: 'Help desk software - Wikipedia', weight: 3 },
  {
    url: 'https://en.wikipedia.org/wiki/Customer_support',
    title: 'Customer support - Wikipedia',
    categories: KNOWLEDGE,
    weight: 3,
  },
  { url: 'https://de.wikipedia.org/wiki/Helpdesk', title: 'Helpdesk – Wikipedia' },
  { url: 'https://www.g2.com/categories/live-chat', title: 'Best Live Chat Software | G2', categories: SHOPPING },
  {
    url: 'https://www.g2.com/compare/halvorix-vs-kestreldesk',
    title: 'Compare Halvorix vs. Kestreldesk | G2',
    categories: ['Comparison', 'Pricing'],
    weight: 4,
  },
  {
    url: 'https://www.g2.com/products/fernwick/reviews',
    title: 'Fernwick Reviews 2026 | G2',
    categories: ['Brand'],
    weight: 6,
  },
  {
    url: 'https://www.capterra.com/help-desk-software/',
    title: 'Best Help Desk Software 2026 | Capterra',
    categories: SHOPPING,
    weight: 4,
  },
  {
    url: 'https://www.capterra.com/p/204417/Fernwick/',
    title: 'Fernwick Software Pricing, Alternatives & More | Capterra',
    categories: ['Brand', 'Pricing'],
    weight: 4,
  },
  {
    url: 'https://www.trustpilot.com/review/fernwick.example',
    title: 'Fernwick Reviews | Trustpilot',
    categories: ['Brand'],
    weight: 6,
  },
  {
    url: 'https://www.trustradius.com/help-desk',
    title: 'Help Desk Software | TrustRadius',
    categories: SHOPPING,
    weight: 2,
  },
  {
    url: 'https://www.gartner.com/reviews/market/crm-customer-engagement-center',
    title: 'CRM Customer Engagement Center Reviews',
    categories: ['Discovery', 'Comparison'],
    weight: 2,
  },
  {
    url: 'https://www.techradar.com/best/helpdesk-software',
    title: 'Best help desk software | TechRadar',
    categories: SHOPPING,
    weight: 2,
  },
  {
    url: 'https://www.pcmag.com/picks/the-best-help-desk-software',
    title: 'The Best Help Desk Software | PCMag',
    categories: SHOPPING,
    weight: 3,
  },
  {
    url: 'https://www.forbes.com/advisor/business/software/best-help-desk-software/',
    title: 'Best Help Desk Software Of 2026 | Forbes Advisor',
    categories: SHOPPING,
    weight: 3,
  },
  {
    url: 'https://zapier.com/blog/best-customer-support-apps/',
    title: 'The best customer service apps | Zapier',
    categories: SHOPPING,
    weight: 3,
  },
  {
    url: 'https://www.nytimes.com/2026/09/02/technology/ai-customer-service.html',
    title: 'When the Help Desk Is a Machine - The New York Times',
    categories: ['Discovery', 'How-to', 'Pricing'],
  },
  {
    url: 'https://www.theverge.com/2026/8/27/ai-support-agents-cost',
    title: 'The real cost of AI support agents | The Verge',
    categories: ['Pricing', 'Discovery'],
  },
  {
    url: 'https://www.youtube.com/watch?v=Qx7hT2pLk9A',
    title: 'Helpdesk software: full comparison (YouTube)',
    categories: SHOPPING,
    weight: 3,
  },
  {
    url: 'https://www.youtube.com/watch?v=f0Zr8uWmN3c',
    title: 'Setting up a shared inbox in 15 minutes (YouTube)',
    categories: KNOWLEDGE,
    weight: 3,
  },
  { url: 'https://youtu.be/Zt5BvYd1m4E', title: 'Support KPIs explained', categories: ['How-to'] },
  {
    url: 'https://www.reddit.com/r/sysadmin/comments/1k4z8ph/helpdesk_for_a_small_team/',
    title: 'Helpdesk for a small team? : r/sysadmin',
    categories: SHOPPING,
    weight: 3,
  },
  {
    url: 'https://old.reddit.com/r/smallbusiness/comments/1m2x7ce/shared_mailbox_is_killing_us/',
    title: 'Shared mailbox is killing us',
    categories: ['Alternatives', 'How-to'],
    weight: 2,
  },
  {
    url: 'https://www.reddit.com/r/SaaS/comments/1p0c3va/anyone_else_leaving_fernwick/',
    title: 'Anyone else leaving Fernwick? : r/SaaS',
    categories: ['Brand'],
    weight: 5,
  },
  {
    url: 'https://news.ycombinator.com/item?id=45310277',
    title: 'Ask HN: Which helpdesk do you use? | Hacker News',
    categories: SHOPPING,
  },
  {
    url: 'https://www.quora.com/What-is-the-best-ticketing-system',
    title: 'What is the best ticketing system? - Quora',
    categories: SHOPPING,
  },
  {
    url: 'https://github.com/topics/helpdesk',
    title: 'helpdesk · GitHub Topics',
    categories: ['Alternatives', 'Discovery'],
    weight: 2,
  },
  {
    url: 'https://stackoverflow.com/questions/tagged/ticket-system',
    title: "Newest 'ticket-system' Questions - Stack Overflow",
    categories: ['How-to'],
  },
  {
    url: 'https://medium.com/@supportlead/what-we-learned-switching-helpdesks-4d1b9c0e7a55',
    title: 'What we learned switching helpdesks | Medium',
    categories: ['How-to', 'Alternatives'],
    weight: 3,
  },
  {
    url: 'https://medium.com/customer-ops/first-response-time-is-not-enough-77c2a1',
    title: 'First response time is not enough | Medium',
    categories: ['How-to'],
    weight: 3,
  },
  {
    url: 'https://hbr.org/2024/05/what-great-customer-support-looks-like',
    title: 'What Great Customer Support Looks Like',
    categories: KNOWLEDGE,
    weight: 2,
  },
  {
    url: 'https://blog.hubspot.com/service/customer-service-metrics',
    title: 'Customer Service Metrics to Track',
    categories: ['How-to'],
    weight: 3,
  },
  {
    url: 'https://www.linkedin.com/pulse/weekend-support-rota-works',
    title: 'A weekend support rota that works | LinkedIn',
    categories: ['How-to'],
  },
  { url: 'https://gdpr.eu/checklist/', title: 'GDPR compliance checklist', categories: ['Brand', 'Discovery'] },
]

export const OWN_PAGES: readonly SourcePage[] = [
  { url: 'https://www.fernwick.example/', title: 'Fernwick: the calm helpdesk', weight: 4 },
  { url: 'https://www.fernwick.example/pricing', title: 'Pricing | Fernwick', weight: 5 },
  { url: 'https://www.fernwick.example/features/shared-inbox', title: 'Shared inbox | Fernwick', weight: 3 },
  { url: 'https://www.fernwick.example/features/ai-drafts', title: 'AI drafts | Fernwick', weight: 3 },
  { url: 'https://www.fernwick.example/compare/halvorix', title: 'Fernwick and Halvorix compared', weight: 3 },
  {
    url: 'https://www.fernwick.example/blog/customer-service-metrics',
    title: '14 customer service metrics | Fernwick blog',
    weight: 3,
  },
  { url: 'https://www.fernwick.example/docs/getting-started', title: 'Getting started | Fernwick docs', weight: 2 },
  { url: 'https://www.fernwick.example/customers', title: 'Customer stories | Fernwick', weight: 2 },
  {
    url: 'https://help.fernwick.example/articles/export-your-data',
    title: 'Export your data | Fernwick help',
    weight: 2,
  },
]
export const LOST_PAGES: readonly SourcePage[] = LOST_OWN_PAGES.map((url, index) => ({
  url,
  title: ['The helpdesk buying guide | Fernwick', 'Shared inbox best practices | Fernwick blog'][index] ?? '',
  weight: 5,
}))
export const COMPETITOR_PATHS = ['/', '/pricing', '/product/ticketing', '/blog/ai-agents', '/customers']

/** How often a page is cited, relative to the others. */
export function weightOf(page: SourcePage): number {
  return page.weight ?? 1
}
