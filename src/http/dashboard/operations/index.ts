import type { AnyUiEndpoint } from '../ui-endpoint.ts'
import { listImports } from './list-imports.ts'

/** The operations that the dashboard alone has. */
export const OPERATIONS: readonly AnyUiEndpoint[] = [listImports]
