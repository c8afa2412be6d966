import type { Schemas } from '../../../client/client.ts'
import { pickKey } from '../../pick-key.ts'

/** Page types as people say them. */
const PAGE_TYPE_NAMES: Readonly<Record<Schemas['PageType'], string>> = {
  blog_editorial: 'Blog and editorial',
  product_page: 'Products',
  docs_support: 'Docs and support',
  landing_page: 'Landing pages',
  brand_about: 'About the brand',
  pricing: 'Pricing',
  ugc_page: 'Community',
  technical_infra: 'Files for machines',
  other: 'Other pages',
}

export function toPageTypeName(type: string): string {
  const known = pickKey(type, PAGE_TYPE_NAMES)
  return known === undefined ? type : PAGE_TYPE_NAMES[known]
}
