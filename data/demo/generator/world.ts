import { ENGINE_IDS } from '../../../src/domain/enums.ts'

export type BrandKey = 'fernwick' | 'halvorix' | 'kestreldesk' | 'zolmira' | 'brindle' | 'oakpulse' | 'tessaro'

/** A made-up vendor and what answers say about it; the lists hold noun phrases that fit behind "offers" or "for". */
export interface Brand {
  readonly key: BrandKey
  readonly name: string
  readonly aliases: readonly string[]
  readonly domain: string
  readonly otherDomains: readonly string[]
  readonly confirmed: boolean
  readonly price: string
  readonly strengths: readonly string[]
  readonly weaknesses: readonly string[]
  readonly audiences: readonly string[]
}

const ORGANIZATION = { id: 'org_fernwick', name: 'Fernwick Software' }

export const OWN_BRAND: Brand = {
  key: 'fernwick',
  name: 'Fernwick',
  aliases: ['Fernwick Desk', 'Fernwick HQ'],
  domain: 'fernwick.example',
  otherDomains: [],
  confirmed: true,
  price: '$19 per agent',
  strengths: [
    'a shared inbox that new agents understand within a day',
    'flat pricing without add-on fees for basic automation',
    'collision detection and private notes in every thread',
    'a help center editor that non-technical teams can run themselves',
    'quick onboarding and guided migration from other helpdesks',
    'clear reports on first response and resolution time',
    'a generous free plan for up to three agents',
    'AI drafts that quote the help center article they used',
  ],
  weaknesses: [
    'limited customization of roles and permissions',
    'a phone channel that still depends on partners',
    'few ready-made integrations compared with older suites',
    'reporting that stops short of custom SQL-style queries',
    'slow support at weekends',
  ],
  audiences: ['small and mid-sized teams', 'SaaS startups', 'teams leaving a shared mailbox', 'support-led companies'],
}

const COMPETITORS: readonly Brand[] = [
  {
    key: 'halvorix',
    name: 'Halvorix',
    aliases: ['Halvorix CX', 'Halvorix Support Suite'],
    domain: 'halvorix.example',
    otherDomains: ['halvorix-help.example'],
    confirmed: true,
    price: '$55 per agent',
    strengths: [
      'deep workflow automation and a mature app marketplace',
      'omnichannel routing across email, chat, voice and social',
      'enterprise-grade roles, sandboxes and audit logs',
      'workforce management and quality assurance add-ons',
      'advanced analytics with custom dashboards',
      'the largest partner network in the category',
      'AI agents trained on years of ticket data',
    ],
    weaknesses: [
      'a price that climbs quickly once add-ons are counted',
      'an admin area that needs a dedicated owner',
      'long contracts and an opaque quoting process',
      'setup projects that take weeks rather than days',
    ],
    audiences: ['large support organizations', 'global enterprises', 'teams with a full-time admin'],
  },
  {
    key: 'kestreldesk',
    name: 'Kestreldesk',
    aliases: ['Kestrel Desk', 'Kestrel-Desk'],
    domain: 'kestreldesk.example',
    otherDomains: [],
    confirmed: true,
    price: '$29 per agent',
    strengths: [
      'order data and refunds right inside the ticket',
      'ready-made macros for shipping and returns questions',
      'solid email ticketing at a moderate price',
      'a mobile app that agents actually use',
      'simple automations based on tags and order value',
      'native connectors for most web shops',
    ],
    weaknesses: [
      'a dated interface in the reporting section',
      'thin features outside of retail use cases',
      'AI replies that need frequent correction',
      'ticket limits on the cheaper plans',
    ],
    audiences: ['online shops', 'retail support teams', 'seasonal teams'],
  },
  {
    key: 'zolmira',
    name: 'Zolmira',
    aliases: ['Zolmira AI'],
    domain: 'zolmira.example',
    otherDomains: ['zolmira-academy.example'],
    confirmed: true,
    price: '$0.99 per resolution',
    strengths: [
      'an AI agent that resolves routine questions end to end',
      'usage-based pricing tied to resolved conversations',
      'answers in more than 40 languages out of the box',
      'a testing playground for AI behaviour before launch',
      'fast deployment on top of an existing helpdesk',
      'detailed transcripts that explain each AI decision',
    ],
    weaknesses: [
      'costs that are hard to predict in busy months',
      'a basic agent workspace for human teams',
      'a need for well-kept help content before it performs',
      'a young product with a short track record',
    ],
    audiences: ['high-volume consumer support', 'digital-first companies', 'teams that aim for deflection'],
  },
  {
    key: 'brindle',
    name: 'Brindle CX',
    aliases: ['Brindle', 'BrindleCX'],
    domain: 'brindlecx.example',
    otherDomains: [],
    confirmed: true,
    price: '$39 per agent',
    strengths: [
      'account-level views for B2B support',
      'tight links between tickets and the CRM record',
      'SLA policies per customer tier',
      'customer portals with branded login',
      'health scores that flag accounts at risk',
    ],
    weaknesses: [
      'a chat widget that lags behind specialists',
      'a learning curve for agents from consumer support',
      'few self-service templates',
      'an API with strict rate limits',
    ],
    audiences: ['B2B software vendors', 'account-based support teams', 'customer success groups'],
  },
  {
    key: 'oakpulse',
    name: 'Oakpulse',
    aliases: [],
    domain: 'oakpulse.example',
    otherDomains: [],
    confirmed: false,
    price: '$15 per agent',
    strengths: [
      'a low entry price and a tidy interface',
      'live chat with visitor tracking',
      'simple surveys after each conversation',
    ],
    weaknesses: ['missing SLA rules', 'few languages in the interface'],
    audiences: ['very small teams', 'solo founders'],
  },
  {
    key: 'tessaro',
    name: 'Tessaro One',
    aliases: ['Tessaro'],
    domain: 'tessaro.example',
    otherDomains: [],
    confirmed: false,
    price: '$24 per agent',
    strengths: [
      'self-hosting with full control over customer data',
      'an open API and a plug-in system',
      'community-maintained translations',
    ],
    weaknesses: ['upgrades that the customer has to run', 'limited vendor support'],
    audiences: ['public institutions', 'teams with their own infrastructure'],
  },
]

export const BRANDS: readonly Brand[] = [OWN_BRAND, ...COMPETITORS]

/** The contents of `site.json`: what an operator would type into `orgs create`, `sites create` and `competitors add`. */
export const SITE_FILE = {
  organization: ORGANIZATION,
  site: {
    id: 'site_fernwick',
    name: OWN_BRAND.name,
    domain: OWN_BRAND.domain,
    aliases: OWN_BRAND.aliases,
    market: 'United States',
    platforms: ENGINE_IDS,
  },
  competitors: COMPETITORS.map((brand) => ({
    id: `competitor-${brand.key}`,
    name: brand.name,
    domains: [brand.domain, ...brand.otherDomains],
    aliases: brand.aliases,
    confirmed: brand.confirmed,
  })),
}
