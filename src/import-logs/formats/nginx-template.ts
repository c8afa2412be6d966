import { UsageError } from '../../errors.ts'
import { escapeText, isBare, isToken, SENT_BY_CLIENTS, toShape } from './nginx-variables.ts'

/** How nginx writes quotes and control characters of a value: `escape=` of `log_format`. */
export type Escape = 'default' | 'json' | 'none'

export interface Variable {
  /** Without `$`. */
  readonly name: string
  /** The text between it and the next variable, or the end. */
  readonly after: string
}

export interface Template {
  readonly escape: Escape
  /** The text before the first variable. */
  readonly lead: string
  readonly variables: readonly Variable[]
}

/** Takes a `log_format` apart: the string alone, `escape=…` and the string, or the whole directive of the configuration. */
export function parseTemplate(format: string): Template {
  const directive = format.trim().replace(/^log_format\s+\S+\s+/, '')
  const escape = /^escape=(default|json|none)\s+/.exec(directive)
  const text = unquote(directive.slice(escape?.[0].length ?? 0))
  const names = [...text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)]
  const variables = names.map((match, index) => ({
    name: match[1] ?? match[2] ?? '',
    after: text.slice(match.index + match[0].length, names[index + 1]?.index ?? text.length),
  }))
  return { escape: toEscape(escape?.[1]), lead: text.slice(0, names[0]?.index ?? text.length), variables }
}

/**
 * A function that splits a line into the values of the template's variables, as they are written; undefined when the
 * line doesn't fit the template, or fits it in more than one way.
 *
 * Variables that can hold anything cut the template into segments, which are found in a line by the shapes of what they
 * hold: from the left, each at its first place, and from the right, each at its last. When both are the same there is no
 * other way.
 *
 * Throws `UsageError` when no line of this format could be split safely.
 */
export function compileTemplate(template: Template): (line: string) => readonly string[] | undefined {
  const { variables, escape } = template
  const touching = variables.slice(0, -1).find(({ after }) => after === '')
  if (touching !== undefined) {
    throw new UsageError(`--log-format: nothing stands between $${touching.name} and the next variable.`)
  }
  const segments = toSegments(template)
  checkSegments(
    segments,
    variables.filter((variable, no) => isBare(variable, toBefore(template, no), escape)),
  )
  const [first = /^/, ...others] = segments.map(({ source }, no) => {
    const isLast = no === segments.length - 1
    return new RegExp(`${source}${isLast ? '$' : ''}`, no === 0 ? 'sy' : 'sg')
  })
  return (line) => {
    first.lastIndex = 0
    const head = first.exec(line)
    if (head === null) return undefined
    const values = head.slice(1)
    const starts: number[] = []
    let at = head[0].length
    for (const segment of others) {
      segment.lastIndex = at
      const match = segment.exec(line)
      if (match === null) return undefined
      values.push(line.slice(at, match.index), ...match.slice(1))
      starts.push(match.index)
      at = match.index + match[0].length
    }
    let limit = line.length
    for (const [no, segment] of [...others.entries()].toReversed()) {
      const last = findLast(segment, line, starts[no] ?? 0, limit)
      if (last !== starts[no]) return undefined
      limit = last
    }
    return values
  }
}

/**
 * Whether a line that fits the template can't be half a line, or only in its last value while that isn't read: that
 * value has one length, or ends with a text that no client can write. A value that can hold anything is found from both
 * ends, so half a line shifts it.
 */
export function isTemplateEnded(template: Template, isLastRead: boolean): boolean {
  const { variables, escape } = template
  const last = variables.at(-1)
  if (last === undefined) return false
  const isAnything = (variable: Variable, no: number): boolean => isBare(variable, toBefore(template, no), escape)
  const isQuoted = escape !== 'none' && /^["\t]/.test(last.after)
  const isClosed = last.after !== '' && !isAnything(last, variables.length - 1) && !SENT_BY_CLIENTS.has(last.name)
  if (last.name.startsWith('time_') || isQuoted || isClosed) return true
  return !isLastRead && !variables.slice(0, -1).some(isAnything)
}

interface Segment {
  readonly source: string
  /** It holds something that can be found: more than spaces and words. */
  readonly isFirm: boolean
}

/** What stands before, between and behind the variables that can hold anything. */
function toSegments(template: Template): readonly Segment[] {
  const { lead, variables, escape } = template
  const segments: Segment[] = [{ source: escapeText(lead), isFirm: true }]
  for (const [no, variable] of variables.entries()) {
    const before = toBefore(template, no)
    const { after } = variable
    const text = escapeText(after)
    const isTextFirm = /[^\w\s]/.test(after)
    if (isBare(variable, before, escape)) segments.push({ source: text, isFirm: isTextFirm })
    else {
      const { source, isFirm } = segments.pop() ?? { source: '', isFirm: false }
      segments.push({
        source: `${source}(${toShape(variable, before, escape)})${text}`,
        isFirm: isFirm || isTextFirm || !isToken(variable.name),
      })
    }
  }
  return segments
}

function checkSegments(segments: readonly Segment[], bare: readonly Variable[]): void {
  const no = segments.slice(1, -1).findIndex(({ isFirm }) => !isFirm)
  if (no === -1) return
  const names = bare
    .slice(no, no + 2)
    .map(({ name }) => `$${name}`)
    .join(' and ')
  throw new UsageError(`--log-format: ${names} can hold spaces and stand without quotes; such lines can't be split.`)
}

function toBefore({ lead, variables }: Template, no: number): string {
  return no === 0 ? lead : (variables[no - 1]?.after ?? '')
}

/** Where the last match starts that ends at or before `limit`, from one at `start` on. */
function findLast(segment: RegExp, line: string, start: number, limit: number): number {
  let last = start
  segment.lastIndex = start + 1
  for (let match = segment.exec(line); match !== null && match.index <= limit; match = segment.exec(line)) {
    if (match.index + match[0].length <= limit) last = match.index
    segment.lastIndex = match.index + 1
  }
  return last
}

/** The pieces in quotes of a directive put together, without its semicolon; any other text as it is. */
function unquote(text: string): string {
  const directive = text.trim().replace(/;$/, '').trim()
  const isQuoted = /^(?:'(?:[^'\\]|\\.)*'\s*)+$/s.test(directive) || /^(?:"(?:[^"\\]|\\.)*"\s*)+$/s.test(directive)
  if (!isQuoted) return text.trimEnd()
  const pieces = [...directive.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)]
  return pieces.map((piece) => (piece[1] ?? piece[2] ?? '').replace(/\\(['"\\])/g, '$1')).join('')
}

function toEscape(text: string | undefined): Escape {
  return text === 'json' || text === 'none' ? text : 'default'
}
