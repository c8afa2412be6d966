import { readFileSync } from 'node:fs'
import { type Environment, toVariable } from '../src/config.ts'
import { PROVIDER_IDS } from '../src/domain/enums.ts'
import { SETTING_NAMES } from '../src/settings.ts'
import { CommandError, UsageError } from '../src/errors.ts'

/** What an installation sets for every command. ANSWERLAKE_SYSTEM_FILE names another file, or none when it is empty. */
export const SYSTEM_FILE = '/etc/answerlake/answerlake.env'

/** What may stand in the file. */
const NAMES: ReadonlySet<string> = new Set(['ANSWERLAKE_DATA_DIR', 'XDG_CACHE_HOME', ...SETTING_NAMES.map(toVariable)])

/** Secrets of providers, and files with them (contract/imports 4.2). */
const SECRET_NAMES = new RegExp(`^ANSWERLAKE_SECRET_(${PROVIDER_IDS.join('|').toUpperCase()})(_FILE)?$`)

/**
 * The variables of a file in the form of systemd's `EnvironmentFile`: `NAME=value` a line, quotes around the value may be
 * there, `#` and `;` begin remarks. Nothing when the path is empty or there is no such file. Throws UsageError for a line
 * that says something else, CommandError for a file that can't be read.
 */
export function readSystemFile(path: string): Environment {
  const values: Record<string, string> = {}
  for (const [index, line] of readLines(path).entries()) {
    const text = line.trim()
    if (text === '' || /^[#;]/.test(text)) continue
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? []
    if (!NAMES.has(name) && !SECRET_NAMES.test(name)) {
      throw new UsageError(
        `${path}:${index + 1}: write NAME=value, with one of the names ${[...NAMES].join(', ')}, or ANSWERLAKE_SECRET_OPENAI_FILE and so on`,
      )
    }
    values[name] = /^(["'])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim()
  }
  return values
}

function readLines(path: string): readonly string[] {
  if (path === '') return []
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    // Going on without it would make a second data directory.
    throw new CommandError(
      `${path}, which names the data directory, cannot be read (${message}). Make it readable for the users who run answerlake: chmod 644 ${path}`,
      { cause: error },
    )
  }
}
