// `completion`: prints a script that completes commands and options in a shell. It is made from the commands themselves.
import { Argument, Command, type Option } from 'commander'
import type { Cli } from '../cli.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

const HELP = `
Examples:
  source <(tidings completion bash)     in ~/.bashrc
  source <(tidings completion zsh)      in ~/.zshrc, after compinit
  tidings completion fish > ~/.config/fish/completions/tidings.fish`

export function completionCommand(cli: Cli): Command {
  const command = new Command('completion')
  return command
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => {
      if (command.parent) cli.context.stdout.write(SCRIPTS[shell](allWords(command.parent)))
    })
}

interface Words {
  /** The commands before these words, such as `token create`. */
  readonly path: string
  readonly words: readonly { readonly word: string; readonly about: string }[]
  /** The values of options that have only a few. */
  readonly choices: readonly { readonly option: string; readonly values: readonly string[] }[]
}

function allWords(command: Command, path = ''): Words[] {
  const commands = command.commands.map((sub) => ({ word: sub.name(), about: sub.description() }))
  const options = command.options.flatMap((option) =>
    option.long ? [{ word: option.long, about: option.description }] : [],
  )
  const values = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, about: description })),
  )
  const below = command.commands.flatMap((sub) => allWords(sub, `${path} ${sub.name()}`.trim()))
  return [{ path, words: [...commands, ...values, ...options], choices: command.options.flatMap(choicesOf) }, ...below]
}

function choicesOf({ long, argChoices }: Option): Words['choices'] {
  return long && argChoices ? [{ option: long, values: argChoices }] : []
}

const SCRIPTS: Readonly<Record<Shell, (all: readonly Words[]) => string>> = {
  bash: (all) => `# bash completion of tidings
_tidings() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word words="" i
${walk(all, '((i = 1; i < COMP_CWORD; i++))', `"\${COMP_WORDS[i]}"`)}
  case "$path:$previous" in
${choiceLines(all, (values) => `COMPREPLY=($(compgen -W "${values}" -- "$current")); return`)}
  esac
  case "$path" in
${wordLines(all, (words) => `words="${words}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tidings tidings
`,
  zsh: (all) => `#compdef tidings
_tidings() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" path_="" word choices="" i
${walk(all, '((i = 2; i < CURRENT; i++))', `"\${words[i]}"`, 'path_')}
  case "$path_:$previous" in
${choiceLines(all, (values) => `compadd -- ${values}; return`)}
  esac
  case "$path_" in
${wordLines(all, (words) => `choices="${words}"`)}
  esac
  compadd -- \${=choices}
  [[ "$current" == -* ]] || _files
}
compdef _tidings tidings
`,
  fish: (all) => `# fish completion of tidings
${all.flatMap(fishLines).join('\n')}
`,
}

/** Finds out which command stands before the cursor. */
function walk(all: readonly Words[], loop: string, word: string, path = 'path'): string {
  const known = all.filter((each) => each.path !== '').map((each) => `"${each.path}"`)
  return `  for ${loop}; do
    word=${word}
    case "\${${path}:+$${path} }$word" in
      ${known.join('|')}) ${path}="\${${path}:+$${path} }$word" ;;
    esac
  done`
}

function wordLines(all: readonly Words[], line: (words: string) => string): string {
  return all.map(({ path, words }) => `    "${path}") ${line(words.map(({ word }) => word).join(' '))} ;;`).join('\n')
}

function choiceLines(all: readonly Words[], line: (values: string) => string): string {
  return all
    .flatMap(({ path, choices }) =>
      choices.map(({ option, values }) => `    "${path}:${option}") ${line(values.join(' '))} ;;`),
    )
    .join('\n')
}

function fishLines({ path, words, choices }: Words): string[] {
  const [first, second] = path.split(' ')
  const condition =
    first === ''
      ? '__fish_use_subcommand'
      : `__fish_seen_subcommand_from ${first}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}`
  return words.map(({ word, about }) => {
    const values = choices.find(({ option }) => option === word)?.values
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
    const taken = values ? ` -x -a ${quoted(values.join(' '))}` : ''
    return `complete -c tidings -n ${quoted(condition)} ${what}${taken} -d ${quoted(about)}`
  })
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
