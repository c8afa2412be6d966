import type { SettingFlags } from '../src/config.ts'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../src/settings.ts'

/** `query_timeout` as a flag: `query-timeout`. */
type Dashed<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}-${Dashed<Tail>}` : Name

interface SettingFlag {
  readonly type: 'string'
  readonly valueHint: string
  readonly description: string
}

const VALUE_HINTS = {
  text: 'ADDRESS',
  path: 'DIR',
  choice: 'LEVEL',
  integer: 'N',
  duration: 'TIME',
  period: 'PERIOD',
  list: 'A,B',
} as const

/** A flag for each setting; the values are checked where all sources of settings meet (config.ts). */
export const SETTING_FLAGS = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const { type, description, default: byDefault } = SETTINGS[name]
    return [
      toDashed(name),
      {
        type: 'string',
        valueHint: VALUE_HINTS[type],
        description: `${description} (default ${String(byDefault) || 'none'})`,
      },
    ]
  }),
) as { readonly [Name in SettingName as Dashed<Name>]: SettingFlag }

/** What was given for the settings among a command's arguments. */
export function pickSettings(args: {
  readonly [Name in SettingName as Dashed<Name>]: string | undefined
}): SettingFlags {
  const given: Readonly<Record<string, string | undefined>> = args
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, given[toDashed(name)]]))
}

function toDashed(name: string): string {
  return name.replaceAll('_', '-')
}
