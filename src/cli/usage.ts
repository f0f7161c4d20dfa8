// Help and complaints about what was typed, for every command alike: common options stand last in the help, a word that
// is nearly one of the choices is suggested, and each complaint says where the help is.
import { type Command, Help, type Option } from 'commander'
import { closestMatch } from '../domain/did-you-mean.ts'
import { redactText } from '../log.ts'
import type { CommandContext } from './command-context.ts'
import { COMMON_OPTIONS } from './options.ts'

// Subcommands that are created separately inherit none of these settings, so each is configured.
export function configureUsage(command: Command, context: CommandContext, path = command.name()): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`See: ${path} --help`)
    .configureHelp({ groupItems: commonLast })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // Commander repeats what it did not understand, which may be a URL with a password.
      writeErr: (text) => context.stderr.write(redactText(text)),
      outputError: (text, write) => write(withSuggestion(text)),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
    })
  for (const sub of command.commands) configureUsage(sub, context, `${path} ${sub.name()}`)
}

/** What is special about a command is read first. */
function commonLast<T extends Command | Option>(
  all: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = new Help().groupItems(all, visible, groupOf)
  const common = groups.get(COMMON_OPTIONS)
  if (common) {
    groups.delete(COMMON_OPTIONS)
    groups.set(COMMON_OPTIONS, common)
  }
  return groups
}

const WRONG_CHOICE = /(?:argument|value) '(.*)' is invalid.*\. Allowed choices are (.+)\.\n$/

/** Commander suggests commands and options itself. */
function withSuggestion(complaint: string): string {
  const [, given = '', choices] = WRONG_CHOICE.exec(complaint) ?? []
  const guess = choices === undefined ? null : closestMatch(given, choices.split(', '))
  return guess === null ? complaint : `${complaint}(Did you mean ${guess}?)\n`
}

/** For a command that has both an action and subcommands: another word is meant as a subcommand. */
export function refuseUnknownSubcommand(command: Command): Command {
  return command.allowExcessArguments().hook('preAction', (_, acting) => {
    const [typed] = acting.args
    if (acting !== command || typed === undefined) return
    const guess = closestMatch(
      typed,
      command.commands.map((sub) => sub.name()),
    )
    command.error(`error: unknown command '${typed}'${guess === null ? '' : `\n(Did you mean ${guess}?)`}`)
  })
}
