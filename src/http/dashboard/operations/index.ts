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
import { getPromptUsage } from './get-prompt-usage.ts'
import { getScan } from './get-scan.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { lookAtLink, useLink } from './links.ts'
import { listAudit } from './list-audit.ts'
import { listImports } from './list-imports.ts'
import { inviteMember, listMembers, resetMember, revokeMember, setMemberRole } from './members.ts'
import { runScan } from './run-scan.ts'
import { confirmPassword, endSession, getSession, listSessions, signOut } from './session.ts'
import { getWaysToSignIn, signIn } from './sign-in.ts'

/** The operations that the dashboard alone has. */
export const OPERATIONS: readonly AnyUiEndpoint[] = [
  getWaysToSignIn,
  signIn,
  lookAtLink,
  useLink,
  getSession,
  signOut,
  confirmPassword,
  listSessions,
  endSession,
  listKeys,
  createKey,
  revokeKey,
  listMembers,
  inviteMember,
  revokeMember,
  resetMember,
  setMemberRole,
  listAudit,
  listCompetitorEvidence,
  confirmCompetitor,
  unconfirmCompetitor,
  ignoreCompetitor,
  mergeCompetitor,
  markCardDone,
  dismissCard,
  reopenCard,
  listCardNotes,
  getPromptUsage,
  getScan,
  runScan,
  listImports,
  getLake,
]
