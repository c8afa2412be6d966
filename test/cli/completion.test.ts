import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './support/run.ts'

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

async function writeScript(shell: string): Promise<string> {
  const path = join(makeDirectory(), `answerlake.${shell}`)
  const { status, stdout } = await run(['completion', shell])
  expect(status).toBe(0)
  writeFileSync(path, stdout)
  return path
}

async function complete(shell: keyof typeof ASK, lines: readonly string[][]): Promise<string[][]> {
  const script = await writeScript(shell)
  return lines.map((words) => {
    const { stdout, stderr } = ASK[shell](script, words)
    expect(stderr).toBe('')
    return stdout.split('\n').filter((word) => word !== '')
  })
}

function askBash(script: string, words: readonly string[]) {
  const source = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _answerlake; printf "%s\\n" "${COMPREPLY[@]}"'
  return spawnSync('bash', ['-c', source, script, ...words], { encoding: 'utf8' })
}

function askFish(script: string, words: readonly string[]) {
  const source = `source ${script}; complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''`
  return spawnSync('fish', ['--no-config', '-c', source], { encoding: 'utf8' })
}

/** Types the words into a terminal, then Tab; every word that zsh is offered is written into a file. */
const ZSH = `
zmodload zsh/zpty zsh/zselect
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1"
zpty -w shell "compadd() { local -a found; builtin compadd -A found \\"\\$@\\"; print -rl -- \\$found >>$2; builtin compadd \\"\\$@\\" }"
zpty -w shell "told() { print end >>$2 }; zle -N told; bindkey '^N' told"
zpty -w -n shell "\${(j: :)@[3,-1]}"$'\\t\\x0e'
until [[ -r $2 && $(<$2) == *end ]]; do zpty -r -t shell output || zselect -t 1; done
zpty -d shell
typeset -U words=(\${(f)"$(<$2)"})
print -rl -- \${words:#end}
`

function askZsh(script: string, words: readonly string[]) {
  const offered = join(makeDirectory(), 'offered')
  return spawnSync('zsh', ['-f', '-c', ZSH, 'zsh', script, offered, ...words], { encoding: 'utf8', timeout: 20_000 })
}

const ASK = { bash: askBash, fish: askFish, zsh: askZsh }

const LINES = [
  ['answerlake', 'comp'],
  ['answerlake', '--data-dir', 'x', 'keys', ''],
  ['answerlake', 'keys', 'create', '--exp'],
  ['answerlake', 'keys', 'create', '--expires', '3'],
  ['answerlake', 'prompts', 'add', '--category', 'Br'],
  ['answerlake', 'completion', 'f'],
]

test.for(['bash', 'fish', 'zsh'] as const)('%s completes commands, flags and values', async (shell, { skip }) => {
  skip(!isInstalled(shell), `needs ${shell}`)
  expect(await complete(shell, LINES)).toEqual([
    ['competitors', 'completion'],
    // The others offer flags when a word begins like one.
    ['create', 'list', 'revoke', ...(shell === 'bash' ? ['--data-dir', '--help'] : [])],
    ['--expires'],
    ['30', '365'],
    ['Brand'],
    ['fish'],
  ])
})
