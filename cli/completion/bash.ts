import type { FlagChoice, Place } from './places.ts'

/** A script for bash's programmable completion; needs no bash-completion package. */
export function toBash(places: readonly Place[]): string {
  return `# bash completion for answerlake
_answerlake() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${places.flatMap(({ at }) => (at === '' ? [] : [`'${at}'`])).join('|')}) at="$at $word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${places.flatMap(({ at, flags }) => flags.map((choice) => toValueCase(at, choice))).join('')}  esac
  case "$at" in
${places.map(toPlaceCase).join('')}  esac
}
complete -o filenames -F _answerlake answerlake
`
}

function toValueCase(at: string, { flag, value, options }: FlagChoice): string {
  if (value === 'none') return ''
  const action = { words: `-W '${options.join(' ')}'`, file: '-f', directory: '-d', text: "-W ''" }[value]
  return `    '${at} ${flag}') COMPREPLY=($(compgen ${action} -- "$current")); return ;;\n`
}

function toPlaceCase({ at, words, takesFiles, flags }: Place): string {
  const all = [...words.map(({ word }) => word), ...flags.map(({ flag }) => flag)].join(' ')
  const files = takesFiles ? ' -f' : ''
  return `    '${at}') COMPREPLY=($(compgen${files} -W '${all}' -- "$current")) ;;\n`
}
