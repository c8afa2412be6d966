import type { Choice, FlagChoice, Place } from './places.ts'

/** A script for fish. */
export function toFish(places: readonly Place[]): string {
  return `# fish completion for answerlake
function __answerlake_at
    set -l places ${places.flatMap(({ at }) => (at === '' ? [] : [`'${at}'`])).join(' ')}
    set -l at ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" $places
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c answerlake -f
${places.map(toLines).join('')}`
}

function toLines({ at, words, takesFiles, flags }: Place): string {
  const lines = [...words.map(toWord), ...flags.map(toFlag), ...(takesFiles ? ['-F'] : [])]
  return lines.map((line) => `complete -c answerlake -n "__answerlake_at '${at}'" ${line}\n`).join('')
}

function toWord({ word, summary }: Choice): string {
  return `-a ${word}${toDescription(summary)}`
}

function toFlag({ flag, summary, value, options }: FlagChoice): string {
  const kind = {
    none: '',
    words: ` -x -a '${options.join(' ')}'`,
    file: ' -r -F',
    directory: " -x -a '(__fish_complete_directories)'",
    text: ' -x',
  }
  return `-l ${flag.slice(2)}${kind[value]}${toDescription(summary)}`
}

function toDescription(text: string): string {
  return text === '' ? '' : ` -d '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
