import type { AnyUiEndpoint } from '../ui-endpoint.ts'
import { dismissCard, listCardNotes, markCardDone, reopenCard } from './cards.ts'
import {
  confirmCompetitor,
  ignoreCompetitor,
  listCompetitorEvidence,
  mergeCompetitor,
  unconfirmCompetitor,
} from './competitors.ts'
import { getLake } from './get-lake.ts'
import { getScan } from './get-scan.ts'
import { listImports } from './list-imports.ts'
import { runScan } from './run-scan.ts'

/** The operations that the dashboard alone has. */
export const OPERATIONS: readonly AnyUiEndpoint[] = [
  listCompetitorEvidence,
  confirmCompetitor,
  unconfirmCompetitor,
  ignoreCompetitor,
  mergeCompetitor,
  markCardDone,
  dismissCard,
  reopenCard,
  listCardNotes,
  getScan,
  runScan,
  listImports,
  getLake,
]
