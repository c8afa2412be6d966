import { toVariable } from '../../../src/config.ts'
import { SETTING_NAMES, SETTINGS } from '../../../src/settings.ts'
import { loadSubCommands, type Command } from '../../../cli/command.ts'
import { program } from '../../../cli/commands.ts'
import { renderHelp } from '../../../cli/help.ts'
import { toFlagName } from '../../../cli/setting-flags.ts'

export interface HelpPage {
  /** `['keys', 'create']`; empty for the program itself. */
  readonly path: readonly string[]
  readonly text: string
}

/** The help of the program and of each of its commands, as it is printed to a file. */
export async function listHelpPages(): Promise<readonly HelpPage[]> {
  const pages: HelpPage[] = []
  const visit = async (path: readonly string[], command: Command): Promise<void> => {
    pages.push({ path, text: await renderHelp(path, command) })
    for (const [word, child] of await loadSubCommands(command)) await visit([...path, word], child)
  }
  await visit([], program)
  return pages
}

/** The text of `docs/cli.md`. */
export async function renderCliReference(): Promise<string> {
  const pages = await listHelpPages()
  const commands = pages.map(({ path, text }) => {
    const level = '#'.repeat(Math.min(path.length + 2, 4))
    return `${level} ${['answerlake', ...path].join(' ')}\n\n\`\`\`text\n${text}\`\`\`\n`
  })
  return [INTRODUCTION, renderSettings(), ...commands].join('\n')
}

/** The help of one command as `docs/cli.md` shows it; undefined when the page has none. */
export function cutHelp(page: string, path: readonly string[]): string | undefined {
  const [, section] = page.split(new RegExp(`^#{2,4} ${['answerlake', ...path].join(' ')}\n`, 'm'))
  return section?.match(/^\n```text\n([^]*?)```\n/)?.[1]
}

const INTRODUCTION = `# The command line

This page is made from the commands themselves (\`npm run golden\`).

Every command takes \`--data-dir DIR\`, before or after its words. The directory holds everything the program keeps. Results go to standard output, everything else to standard error; \`--json\` prints the result as one JSON document with the keys of the REST API, where the thing exists there. Lists are \`{"data": […]}\`.

| exit status | meaning |
| --- | --- |
| 0 | done |
| 1 | the work failed or was refused: a message says why, nothing is half-written |
| 2 | wrong usage: an unknown command or flag, a missing or bad value |
| 3 | done, but some input records were rejected |
| 130, 143 | stopped by SIGINT or SIGTERM: what was committed stays, the rest leaves no trace. \`serve\` and \`demo\` exit 0 then |

A second signal, half a second or more after the first, ends the program at once.
`

function renderSettings(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { description, default: byDefault } = SETTINGS[name]
    const flag = `--${toFlagName(name)}`
    return `| \`${flag}\` | \`${toVariable(name)}\` | \`${name}\` | ${String(byDefault) || 'none'} | ${description} |`
  })
  return `## Settings

Flags of \`serve\` and \`demo\` win over the environment, the environment over \`/etc/answerlake/answerlake.env\`, that over \`config.json\` in the data directory, that over the defaults. \`answerlake serve --print-config\` prints the settings in force in the form of that file. \`ANSWERLAKE_DATA_DIR\` names the data directory itself, in the environment or, for all commands of an installed system, in \`/etc/answerlake/answerlake.env\` (\`ANSWERLAKE_SYSTEM_FILE\` names another such file). \`demo\` doesn't look there for its directory, which is \`./answerlake-demo\`. Durations are written \`500ms\`, \`30s\`, \`15m\`, \`1h\` or \`7d\`.

| flag | environment | config.json | default | |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}
