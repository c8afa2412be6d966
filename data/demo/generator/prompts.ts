import type { Category, PromptStatus } from '../../../src/domain/enums.ts'
import { DISABLED_SINCE_DAY } from '../truths.ts'
import type { BrandKey } from './world.ts'

/** A tracked question and what its answers are about. */
export interface Prompt {
  readonly id: string
  readonly text: string
  readonly category: Category
  readonly market: string
  readonly status: PromptStatus
  /** Brands that the question itself names. */
  readonly focus: readonly BrandKey[]
  /** What is asked for, as a noun phrase; for how-to questions the name of a step list. */
  readonly topic: string
}

export const PROMPTS: readonly Prompt[] = [
  discovery('01', 'What is the best customer support software for small businesses?', 'customer support software'),
  discovery('02', 'Best helpdesk software for ecommerce stores', 'helpdesk software for online shops'),
  discovery('03', 'Which ticketing system should a 20-person SaaS team use?', 'a ticketing system for SaaS teams'),
  discovery('04', 'Best AI customer service agents in 2026', 'AI customer service agents'),
  discovery('05', 'Best enterprise customer service platforms', 'an enterprise customer service platform'),
  discovery('06', 'Top shared inbox tools for support teams', 'a shared inbox for support teams'),
  discovery('07', 'What helpdesk do startups recommend?', 'a helpdesk for startups'),
  discovery(
    '08',
    'Best customer support software with a built-in knowledge base',
    'support software with a knowledge base',
  ),
  discovery('09', 'Best live chat software for customer support websites', 'live chat software'),
  discovery('10', 'Best GDPR-compliant helpdesk software', 'GDPR-compliant helpdesk software', 'Germany'),
  discovery('11', 'Best contact center software with voice support', 'contact center software with voice'),
  discovery(
    '12',
    'Best customer support software for healthcare providers',
    'support software for healthcare providers',
  ),
  discovery('13', 'Best WhatsApp customer support tools', 'messaging support tools'),
  discovery('14', 'Best omnichannel customer service platforms', 'an omnichannel service platform', 'United Kingdom'),
  comparison('01', 'Fernwick vs Halvorix: which is better for a growing team?', ['fernwick', 'halvorix']),
  comparison('02', 'Fernwick vs Kestreldesk for ecommerce support', ['fernwick', 'kestreldesk']),
  comparison('03', 'Fernwick or Zolmira for AI ticket deflection?', ['fernwick', 'zolmira']),
  comparison('04', 'Compare Fernwick, Halvorix and Brindle CX', ['fernwick', 'halvorix', 'brindle']),
  comparison('05', 'Halvorix vs Kestreldesk comparison', ['halvorix', 'kestreldesk']),
  comparison('06', 'Zolmira vs Halvorix: AI agents compared', ['zolmira', 'halvorix']),
  comparison('07', 'Which helpdesk has better reporting, Halvorix or Fernwick?', ['halvorix', 'fernwick']),
  comparison('08', 'Kestreldesk vs Brindle CX for a mid-sized company', ['kestreldesk', 'brindle']),
  comparison('09', 'Brindle CX vs Fernwick for B2B support', ['brindle', 'fernwick']),
  comparison('10', 'Compare helpdesk software with SLA management', []),
  comparison('11', 'Per-agent or per-resolution helpdesk: which tools should I compare?', []),
  alternatives('01', 'Halvorix alternatives', ['halvorix']),
  alternatives('02', 'Cheaper alternatives to Halvorix for a small team', ['halvorix']),
  alternatives('03', 'Alternatives to Kestreldesk for online stores', ['kestreldesk']),
  alternatives('04', 'Zolmira alternatives with human handover', ['zolmira']),
  alternatives('05', 'Brindle CX alternatives', ['brindle']),
  alternatives('06', 'Alternatives to Fernwick', ['fernwick']),
  alternatives('07', 'Alternatives to legacy call center software', []),
  alternatives('08', 'Alternatives to a shared mailbox for support email', []),
  alternatives('09', 'Self-hosted alternatives to cloud helpdesk software', []),
  alternatives('10', 'Alternatives to Halvorix in Europe', ['halvorix'], 'Germany'),
  howTo('01', 'How do I reduce first response time in customer support?', 'response time'),
  howTo('02', 'How to set up SLAs in a helpdesk', 'service levels'),
  howTo('03', 'How to migrate from one helpdesk to another without losing tickets', 'migration'),
  howTo('04', 'How to set up a shared inbox for support', 'shared inbox'),
  howTo('05', 'How to write good canned responses', 'canned responses'),
  howTo('06', 'How to build a knowledge base customers actually use', 'knowledge base'),
  howTo('07', 'How to automate ticket routing', 'routing'),
  howTo('08', 'How to deflect support tickets with AI', 'deflection'),
  howTo('09', 'How to measure customer satisfaction in support', 'satisfaction'),
  howTo('10', 'How to staff customer support on weekends', 'weekend staffing'),
  pricing('01', 'How much does helpdesk software cost per agent?', []),
  pricing('02', 'Halvorix pricing explained', ['halvorix']),
  pricing('03', 'Fernwick pricing: which plan do I need?', ['fernwick']),
  pricing('04', 'Is there a free helpdesk for three agents?', []),
  pricing('05', 'What does an AI support agent cost per resolution?', []),
  pricing('06', 'Kestreldesk or Fernwick: which is cheaper for ten agents?', ['kestreldesk', 'fernwick']),
  pricing('07', 'Cheapest ticketing system for nonprofits', []),
  brand('01', 'What is Fernwick?', 'overview'),
  brand('02', 'Is Fernwick good for ecommerce?', 'ecommerce'),
  brand('03', 'Does Fernwick integrate with our CRM?', 'integrations'),
  brand('04', 'Is Fernwick GDPR compliant?', 'privacy', 'Germany'),
  brand('05', 'Is Fernwick reliable, or does it have outages?', 'outages'),
  brand('06', 'Fernwick complaints', 'complaints'),
  brand('07', 'Fernwick billing problems', 'billing'),
  brand('08', 'Why do customers leave Fernwick?', 'churn'),
]

/** The contents of `prompts.csv` (`prompts import`, contract/imports 1.4). */
export function promptsCsv(): string {
  const lines = PROMPTS.map((prompt) =>
    [prompt.text, prompt.category, prompt.market, prompt.id, prompt.status].map(csvField).join(','),
  )
  return ['text,category,market,id,status', ...lines, ''].join('\n')
}

function discovery(no: string, text: string, topic: string, market = ''): Prompt {
  return toPrompt(`discovery-${no}`, text, 'Discovery', [], topic, market)
}

function comparison(no: string, text: string, focus: readonly BrandKey[]): Prompt {
  return toPrompt(`comparison-${no}`, text, 'Comparison', focus, 'helpdesk software', '')
}

function alternatives(no: string, text: string, focus: readonly BrandKey[], market = ''): Prompt {
  return toPrompt(`alternatives-${no}`, text, 'Alternatives', focus, 'an alternative', market)
}

function howTo(no: string, text: string, topic: string): Prompt {
  return toPrompt(`howto-${no}`, text, 'How-to', [], topic, '')
}

function pricing(no: string, text: string, focus: readonly BrandKey[]): Prompt {
  return toPrompt(`pricing-${no}`, text, 'Pricing', focus, 'helpdesk pricing', '')
}

function brand(no: string, text: string, topic: string, market = ''): Prompt {
  return toPrompt(`brand-${no}`, text, 'Brand', ['fernwick'], topic, market)
}

function toPrompt(
  id: string,
  text: string,
  category: Category,
  focus: readonly BrandKey[],
  topic: string,
  market: string,
): Prompt {
  const status = id in DISABLED_SINCE_DAY ? 'disabled' : 'active'
  return { id, text, category, market, status, focus, topic }
}

function csvField(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
