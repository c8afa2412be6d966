import { Crawlers } from './crawlers/crawlers.tsx'
import { Visitors } from './visitors/visitors.tsx'

/** What server logs say. */
export const LOG_VIEWS = { crawlers: Crawlers, visitors: Visitors }
