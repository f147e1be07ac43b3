import { CliError } from './exit.ts'
import { operations } from './operation.ts'

const COMMANDS = [
  'login',
  'logout',
  'whoami',
  'operations',
  'import',
  'export',
  'restore',
  'events',
  'webhooks',
  'mail',
  'open',
  'completion',
]

/** A script for the shell, for `source <(groundwork completion bash)`. */
export function makeCompletion(shell: string): string {
  const words = [...COMMANDS, ...Object.keys(operations)].join(' ')
  switch (shell) {
    case 'bash':
      return `_groundwork() { if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${words}" -- "\${COMP_WORDS[1]}")); else COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi; }\ncomplete -o default -F _groundwork groundwork`
    case 'zsh':
      return `#compdef groundwork\n_groundwork() { if (( CURRENT == 2 )); then compadd ${words}; else _files; fi; }\ncompdef _groundwork groundwork`
    case 'fish':
      return `complete -c groundwork -n __fish_use_subcommand -a "${words}"`
    default:
      throw new CliError(`There is no completion for "${shell}". Choose bash, zsh or fish.`)
  }
}
