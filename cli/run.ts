import { parseArgs, runCommand, type ArgsDef, type CommandDef } from 'citty'
import type { Clock } from '../src/clock.ts'
import type { Environment } from '../src/config.ts'
import { ApiError, CommandError, UsageError } from '../src/errors.ts'
import { JSON_FLAG, type Command, type Outcome, type Surroundings } from './command.ts'
import { describeFailure } from './failure.ts'
import { PROGRAM, renderHelp } from './help.ts'
import { printNote, type Io } from './io.ts'
import { version } from './version.ts'
import { readSystemFile } from './system-file.ts'
import { widthOf } from './wrap.ts'
import { asksForHelp, findCommand, toStrictArguments } from './parse.ts'

/** What `main.ts` hands over of the process; tests make their own. */
export interface World {
  readonly io: Io
  readonly environment: Environment
  /** Path of the file with what the environment doesn't say (system-file.ts); empty for none. */
  readonly systemFile: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Exit status: 0 done, 1 failed or refused, 2 wrong usage, 3 done with rejected records, 130 and 143 stopped by a signal. */
export type ExitStatus = Outcome | 2 | 130 | 143

/** Why the signal of a World is aborted. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  readonly signal: 'SIGINT' | 'SIGTERM'
  /** What became of the rest. */
  readonly left: string

  constructor(signal: 'SIGINT' | 'SIGTERM', left = 'what was not finished is undone') {
    super(`stopped by ${signal}`)
    this.signal = signal
    this.left = left
  }
}

/** Runs one command line of a program. Every error ends here as a message on standard error and an exit status. */
export async function runCommandLine(argv: readonly string[], program: Command, world: World): Promise<ExitStatus> {
  let path: readonly string[] = []
  try {
    const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
    const found = await findCommand(words, program)
    path = found.path
    if (found.fault !== undefined) throw new UsageError(found.fault)
    const isProgram = found.command === program
    if (asksForHelp(found.rest) || (isProgram && found.rest.length === 0)) {
      const { stdout } = world.io
      stdout.write(await renderHelp(found.path, found.command, widthOf(stdout)))
      return 0
    }
    if (isProgram && found.rest.includes('--version')) {
      const rest = found.rest.filter((word) => word !== '--version')
      return await runFound(version, rest, world, program)
    }
    const { subCommands } = found.command
    if (subCommands !== undefined) {
      toStrictArguments({ ...JSON_FLAG, ...found.command.args }, found.rest)
      const verbs = Object.keys(subCommands).join(', ')
      throw new UsageError(isProgram ? 'a command is missing' : `${path.join(' ')} needs one of: ${verbs}`)
    }
    return await runFound(found.command, found.rest, world, program)
  } catch (error) {
    return report(error, path, world)
  }
}

async function runFound(command: Command, rest: readonly string[], world: World, program: Command): Promise<Outcome> {
  const rawArgs = toStrictArguments(command.args, rest)
  const system = readSystemFile(world.systemFile)
  const dataDir =
    parseArgs(rawArgs, command.args as ArgsDef)['data-dir'] ??
    (world.environment['ANSWERLAKE_DATA_DIR'] ||
      command.meta.defaultDataDir ||
      system['ANSWERLAKE_DATA_DIR'] ||
      './answerlake-data')
  // An empty variable is none.
  const own = Object.entries(world.environment).filter(([, value]) => value !== '')
  const data: Surroundings = {
    ...world,
    program,
    environment: { ...system, ...Object.fromEntries(own) },
    dataDir,
  }
  const { result } = await runCommand(command as CommandDef, { rawArgs, data })
  return (result as Outcome | undefined) ?? 0
}

function report(error: unknown, path: readonly string[], { io, signal }: World): ExitStatus {
  if (signal.aborted && signal.reason instanceof Interruption) {
    const { message, left } = error instanceof Interruption ? error : signal.reason
    printNote(io, `${PROGRAM}: ${message}; ${left}`)
    return signal.reason.signal === 'SIGINT' ? 130 : 143
  }
  if (error instanceof UsageError) {
    printNote(io, `${PROGRAM}: ${error.message}`)
    printNote(io, `Try '${[PROGRAM, ...path].join(' ')} --help'.`)
    return 2
  }
  if (error instanceof CommandError || error instanceof ApiError) {
    const [message = '', ...faults] = error instanceof CommandError ? error.lines : [error.message]
    printNote(io, `${PROGRAM}: ${message}`)
    for (const fault of faults) printNote(io, `  ${fault}`)
    if (error instanceof ApiError) {
      for (const detail of error.details ?? []) printNote(io, `  ${detail.path}: ${detail.message}`)
    }
    return 1
  }
  for (const line of `${PROGRAM}: ${describeFailure(error)}`.split('\n')) printNote(io, line)
  return 1
}
