import type { SettingFlags } from '../src/config.ts'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../src/settings.ts'

/** `query_timeout` as a flag: `query-timeout`; what can only be switched off: `no-dashboard`. */
type FlagName<Name extends SettingName> = (typeof SETTINGS)[Name]['type'] extends 'switch'
  ? `no-${Dashed<Name>}`
  : Dashed<Name>
type Dashed<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}-${Dashed<Tail>}` : Name

interface ValueFlag {
  readonly type: 'string'
  readonly valueHint: string
  readonly description: string
}

interface OffFlag {
  readonly type: 'boolean'
  readonly description: string
}

type SettingFlag<Name extends SettingName> = (typeof SETTINGS)[Name]['type'] extends 'switch' ? OffFlag : ValueFlag

const VALUE_HINTS = {
  text: 'ADDRESS',
  path: 'DIR',
  origin: 'URL',
  choice: 'LEVEL',
  integer: 'N',
  duration: 'TIME',
  period: 'PERIOD',
  list: 'A,B',
} as const

/** A flag for each setting; the values are checked where all sources of settings meet (config.ts). */
export const SETTING_FLAGS = Object.fromEntries(
  SETTING_NAMES.map((name): [string, ValueFlag | OffFlag] => {
    const { type, description, default: byDefault } = SETTINGS[name]
    return [
      toFlagName(name),
      type === 'switch'
        ? { type: 'boolean', description: `do not ${description}` }
        : {
            type: 'string',
            valueHint: VALUE_HINTS[type],
            description: `${description} (default ${String(byDefault) || 'none'})`,
          },
    ]
  }),
) as { readonly [Name in SettingName as FlagName<Name>]: SettingFlag<Name> }

/** What was given for the settings among a command's arguments. */
export function pickSettings(args: {
  readonly [Name in SettingName as FlagName<Name>]: SettingFlag<Name> extends OffFlag ? boolean : string | undefined
}): SettingFlags {
  const given: Readonly<Record<string, string | boolean | undefined>> = args
  return Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const value = given[toFlagName(name)]
      return [name, typeof value === 'boolean' ? (value ? 'false' : undefined) : value]
    }),
  )
}

/** The name of a setting's flag without its dashes in front. */
export function toFlagName(name: SettingName): string {
  const dashed = name.replaceAll('_', '-')
  return SETTINGS[name].type === 'switch' ? `no-${dashed}` : dashed
}
