import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installProgram, makeEnvironment } from './program.ts'

/**
 * A session at a shell, as text:
 *
 *     $ answerlake sites list          a command line, run by sh in the session's directory
 *     ID  NAME                         its standard output
 *     ! warning                        its standard error, line by line
 *     ? 2                              its exit status, unless 0
 *     -- prompts.csv --                a file of the directory, to the next such line; at the end of the transcript
 *
 * What differs from run to run stands as a placeholder: `<site_1>` is the first site id that appears, and may be used
 * in later command lines; `<time>`, `<minute>` and `<version>` stand for what they say.
 */
export function playTranscript(transcript: string, directory: string): string {
  const [session = '', ...files] = transcript.split(/^(?=-- .+ --$)/m)
  for (const file of files) writeInput(file, directory)
  const environment = makeEnvironment(directory)
  environment['PATH'] = `${installProgram(directory)}:${environment['PATH'] ?? ''}`
  const ids = new Placeholders()
  const played = session
    .split('\n')
    .filter((line) => line.startsWith('$ ') || line.startsWith('#'))
    .map((line) => {
      if (line.startsWith('#')) return `${line}\n`
      const command = ids.fillIn(line.slice(2))
      const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command], {
        cwd: directory,
        env: environment,
        encoding: 'utf8',
      })
      const errors = stderr.replaceAll(PROGRESS, '').replaceAll(/^(?=.)/gm, '! ')
      const result = `${withLineBreak(stdout)}${withLineBreak(errors)}${status === 0 ? '' : `? ${status}\n`}`
      return `${line}\n${ids.replaceIn(result, directory)}`
    })
  return [...played, ...files].join('')
}

function writeInput(file: string, directory: string): void {
  const end = file.indexOf('\n')
  const path = join(directory, file.slice(3, end - 3))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, file.slice(end + 1))
}

/** An output without a last line break would swallow the next line. */
function withLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\\\n`
}

/** Lines that only a slow machine gives. */
const PROGRESS = /^(importing|compacting|deriving|verifying|copying): .*\n/gm

const ID = /\b(org|site|prm|cmp|key|act|ans|req|imp|chg|usr|ses|aud)_[0-9a-z]{26,}( *)/g

class Placeholders {
  readonly #byId = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Ids get a number each in the order in which they appear; a column keeps its width. */
  replaceIn(text: string, directory: string): string {
    return text
      .replaceAll(directory, '<directory>')
      .replaceAll(/\balk_[0-9A-Za-z]{40}\b/g, '<key>')
      .replaceAll(ID, (match, prefix: string, spaces: string) => {
        const id = match.trimEnd()
        const placeholder = this.#byId.get(id) ?? this.#add(id, prefix)
        return spaces.length > 1 ? placeholder.padEnd(match.length) : `${placeholder}${spaces}`
      })
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '<minute>        ')
      .replaceAll(/ +$/gm, '')
  }

  fillIn(command: string): string {
    let filled = command
    for (const [id, placeholder] of this.#byId) filled = filled.replaceAll(placeholder, id)
    return filled
  }

  #add(id: string, prefix: string): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1
    this.#counts.set(prefix, count)
    const placeholder = `<${prefix}_${count}>`
    this.#byId.set(id, placeholder)
    return placeholder
  }
}
