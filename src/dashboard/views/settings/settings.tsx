import type { SettingsProps } from '../view-props.ts'
import { Access } from './access.tsx'
import { Account } from './account.tsx'
import { Audit } from './audit.tsx'
import { Imports } from './imports.tsx'
import { Members } from './members.tsx'
import { Sites } from './sites.tsx'
import { Storage } from './storage.tsx'

/** All parts of the settings. */
export function Settings({ part, sites }: SettingsProps) {
  switch (part) {
    case 'sites':
      return <Sites sites={sites} />
    case 'members':
      return <Members />
    case 'access':
      return <Access sites={sites} />
    case 'data':
      return (
        <>
          <Imports sites={sites} />
          <Storage />
        </>
      )
    case 'audit':
      return <Audit />
    case 'account':
      return <Account />
  }
}
