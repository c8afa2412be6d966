import type { Loader } from './command.ts'

/** The program's commands in the order of their help. */
export const COMMANDS: Readonly<Record<string, Loader>> = {
  completion: async () => (await import('./completion.ts')).completion,
  version: async () => (await import('./version.ts')).version,
}
