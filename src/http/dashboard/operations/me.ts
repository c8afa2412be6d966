import * as v from 'valibot'
import { PLANS } from '../../../domain/enums.ts'
import { ROLES } from '../../../domain/user.ts'
import { MAIL_CHARACTERS_MAX, PASSWORD_CHARACTERS_MAX } from '../../../people-limits.ts'
import { maxCharacters } from '../../../schemas/max-characters.ts'
import { Text, Timestamp } from '../../../schemas/values.ts'

export const Role = v.picklist(ROLES)

/** As it was typed; what is no address belongs to nobody. */
export const GivenMail = v.pipe(v.string(), maxCharacters(MAIL_CHARACTERS_MAX))

/** As it was typed; none is longer. */
export const GivenPassword = v.pipe(v.string(), maxCharacters(PASSWORD_CHARACTERS_MAX))

/** Who is signed in, and what they may see. */
export const Me = v.object({
  user: v.object({ id: Text, mail: Text, role: Role }),
  organization: v.object({ id: Text, name: Text, plan: v.picklist(PLANS) }),
  session_id: Text,
  expires_at: Timestamp,
  password_confirmed_until: v.nullable(Timestamp),
  has_password: v.boolean(),
  version: Text,
  features: v.object({ scan: v.boolean() }),
})

export type Me = v.InferOutput<typeof Me>

export const ME = {
  user: { id: 'usr_0k7q4zj0u1s2e3r4a5b6c7d8ef', mail: 'ana@acme.com', role: 'owner' },
  organization: { id: 'org_0k7q4zj0a1s2d3f4g5h6j7k8m9', name: 'Acme', plan: 'enterprise' },
  session_id: 'ses_0k7q4zj0s1e2s3s4a5b6c7d8ef',
  expires_at: '2026-11-20T22:00:00.000Z',
  password_confirmed_until: '2026-11-20T10:10:00.000Z',
  has_password: true,
  version: '1.1.0',
  features: { scan: true },
} as const
