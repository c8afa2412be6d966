import type { FlagChoice, Place } from './places.ts'

/** A script for zsh's completion system, to be autoloaded as `_answerlake` or sourced after `compinit`. */
export function toZsh(places: readonly Place[]): string {
  return `#compdef answerlake
_answerlake() {
  local at= word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${places.flatMap(({ at }) => (at === '' ? [] : [`'${at}'`])).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${places.flatMap(({ at, flags }) => flags.map((choice) => toValueCase(at, choice))).join('')}  esac
  local -a entries flags
  case "$at" in
${places.map(toPlaceCase).join('')}  esac
  (( $#entries )) && _describe -t commands command entries
  _describe -o -t options flag flags
}
if [[ "$funcstack[1]" == _answerlake ]]; then _answerlake "$@"; else compdef _answerlake answerlake; fi
`
}

function toValueCase(at: string, { flag, value, options }: FlagChoice): string {
  if (value === 'none') return ''
  const action = {
    words: `compadd -- ${options.join(' ')}`,
    file: '_files',
    directory: '_files -/',
    text: '_message value',
  }
  return `    ('${at} ${flag}') ${action[value]}; return ;;\n`
}

function toPlaceCase({ at, words, takesFiles, flags }: Place): string {
  const entries = words.map(({ word, summary }) => toEntry(word, summary)).join(' ')
  const choices = flags.map(({ flag, summary }) => toEntry(flag, summary)).join(' ')
  return `    ('${at}') entries=(${entries}); flags=(${choices})${takesFiles ? '; _files' : ''} ;;\n`
}

function toEntry(word: string, summary: string): string {
  const text = summary.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll("'", "'\\''")
  return text === '' ? `'${word}'` : `'${word}:${text}'`
}
