import * as v from 'valibot'
import { PLANS } from '../../../domain/enums.ts'
import { ROLES } from '../../../domain/user.ts'
import { MAIL_CHARACTERS_MAX, PASSWORD_CHARACTERS_MAX } from '../../../people-limits.ts'
import { maxCharacters } from '../../../schemas/max-characters.ts'
import { Text } from '../../../schemas/values.ts'

export const Role = v.picklist(ROLES)

/** As it was typed; what is no address belongs to nobody. */
export const GivenMail = v.pipe(v.string(), maxCharacters(MAIL_CHARACTERS_MAX))

/** As it was typed; none is longer. */
export const GivenPassword = v.pipe(v.string(), maxCharacters(PASSWORD_CHARACTERS_MAX))

/** Who is signed in, and what they may see. */
export const Me = v.object({
  user: v.object({ id: Text, mail: Text, role: Role }),
  organization: v.object({ id: Text, name: Text, plan: v.picklist(PLANS) }),
  has_password: v.boolean(),
  version: Text,
})

export type Me = v.InferOutput<typeof Me>

export const ME = {
  user: { id: 'usr_0k7q4zj0u1s2e3r4a5b6c7d8ef', mail: 'ana@acme.com', role: 'owner' },
  organization: { id: 'org_0k7q4zj0a1s2d3f4g5h6j7k8m9', name: 'Acme', plan: 'enterprise' },
  has_password: true,
  version: '1.1.0',
} as const
