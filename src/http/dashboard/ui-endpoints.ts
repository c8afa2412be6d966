import { ENDPOINTS } from '../endpoints/index.ts'
import { OPERATIONS } from './operations/index.ts'
import { type AnyUiEndpoint, toUiEndpoint } from './ui-endpoint.ts'

/** What only holders of keys ask: about their key, and about the API itself. */
const OF_KEYS = new Set(['getMe', 'getOpenApi'])

/** Every operation under `/ui/v1`: the API's, and those that the dashboard alone has. */
export const UI_ENDPOINTS: readonly AnyUiEndpoint[] = [
  ...ENDPOINTS.filter(({ operation }) => !OF_KEYS.has(operation)).map(toUiEndpoint),
  ...OPERATIONS,
]
