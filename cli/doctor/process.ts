import { readFile } from 'node:fs/promises'
import { readConfig } from '../../src/config.ts'
import { CommandError, UsageError } from '../../src/errors.ts'
import { OPEN_FILES_ADVISED } from '../../src/limits.ts'
import { ok, problem, warning, type Finding, type Patient } from './finding.ts'

/** Whether `config.json` and the environment can be understood. */
export async function checkConfig({ dataDir, environment }: Patient): Promise<Finding> {
  try {
    await readConfig({ dataDir, environment })
    return ok('config', 'the settings are valid')
  } catch (error) {
    if (error instanceof CommandError) return problem('config', error.message, 'run doctor as that user')
    if (!(error instanceof UsageError)) throw error
    return problem('config', error.message, 'correct it; `answerlake serve --print-config` shows the settings in force')
  }
}

/** How many files the process may have open; told only where the system has /proc. */
export async function checkOpenFiles(): Promise<Finding> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  return describeOpenFiles(limits)
}

/** The finding for the text of `/proc/self/limits`. */
export function describeOpenFiles(limits: string): Finding {
  const check = 'open files'
  const given = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  if (given === undefined) return ok(check, 'this system does not tell its limit')
  if (given !== 'unlimited' && Number(given) < OPEN_FILES_ADVISED) {
    return warning(
      check,
      `at most ${given} files may be open`,
      `raise it to ${OPEN_FILES_ADVISED} or more (ulimit -n, or LimitNOFILE= in the systemd unit)`,
    )
  }
  return ok(check, `at most ${given} files may be open`)
}
