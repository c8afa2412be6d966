import type { AnyUiEndpoint } from '../ui-endpoint.ts'
import { getScan } from './get-scan.ts'
import { listImports } from './list-imports.ts'
import { runScan } from './run-scan.ts'

/** The operations that the dashboard alone has. */
export const OPERATIONS: readonly AnyUiEndpoint[] = [listImports, getScan, runScan]
