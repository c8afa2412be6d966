import { defineCommand } from './command.ts'

export const completion = defineCommand({
  summary: 'Print a script that completes commands, flags and values in a shell',
  notes: [
    'bash: save the script as /etc/bash_completion.d/answerlake, or load it in ~/.bashrc: source <(answerlake completion bash)',
    'zsh: save it as _answerlake in a directory of $fpath, or load it in ~/.zshrc after compinit: source <(answerlake completion zsh)',
    'fish: save it as ~/.config/fish/completions/answerlake.fish',
  ],
  args: {
    shell: {
      type: 'positional',
      required: true,
      valueHint: 'SHELL',
      options: ['bash', 'zsh', 'fish'],
      description: 'bash, zsh or fish',
    },
  },
  examples: ['completion bash', 'completion fish > ~/.config/fish/completions/answerlake.fish'],
  async run({ args, io, program }) {
    const [{ listPlaces }, { toBash }, { toZsh }, { toFish }] = await Promise.all([
      import('./completion/places.ts'),
      import('./completion/bash.ts'),
      import('./completion/zsh.ts'),
      import('./completion/fish.ts'),
    ])
    const toScript = { bash: toBash, zsh: toZsh, fish: toFish }[args.shell]
    io.stdout.write(toScript(await listPlaces([], program)))
  },
})
