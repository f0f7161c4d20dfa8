// `notifier`: who is told of what happens, in words: ntfy, Slack-compatible addresses and mail.
import { Argument, Command } from 'commander'
import type { NotifierView } from '../../catalogue/shapes/webhook-answers.ts'
import { NOTIFIER_KINDS } from '../../domain/webhook.ts'
import type { Cli } from '../cli.ts'
import { type Client, segment } from '../connection/client.ts'
import { findUser, userPath } from '../connection/find-by-name.ts'
import { matchOrFail } from '../connection/match-id.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'
import { printable } from '../terminal/output.ts'
import { readSecret } from '../terminal/read-secret.ts'
import type { Column } from '../terminal/table.ts'

interface NotifierOptions extends CommonOptions, YesOption {
  readonly user?: string
  readonly types?: string
  readonly summaryOnly?: boolean
}

export function notifierCommand(cli: Cli): Command {
  const notifier = new Command('notifier').description(
    'notifiers, which tell people of events: list, create, test, remove',
  )
  for (const sub of [listNotifiers(cli), createNotifier(cli), testNotifier(cli), removeNotifier(cli)]) {
    notifier.addCommand(sub)
  }
  return notifier
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', fixed: true },
  { title: 'KIND', fixed: true },
  { title: 'TARGET', key: true },
  { title: 'EVENTS' },
  { title: 'FAILED', align: 'right', fixed: true, drop: 1 },
]

function listNotifiers(cli: Cli): Command {
  return ofUser('list')
    .description('list the notifiers of a user')
    .action(
      cli.withClient(async ({ client, output }, { user }: NotifierOptions) => {
        const notifiers = await client.all<NotifierView>(await notifiersPath(client, user))
        const row = ({ id, kind, target, types, deadLetters }: NotifierView) => [
          ...[id, kind, target, types.join(', '), String(deadLetters)],
        ]
        output.list(notifiers, COLUMNS, row, 'No notifiers. Create one with: tidings notifier create KIND TARGET')
      }),
    )
}

const EXAMPLE = 'tidings notifier create slack - < address.txt'

function createNotifier(cli: Cli): Command {
  return ofUser('create')
    .description('add a notifier; its target is stored encrypted')
    .addArgument(new Argument('<kind>', 'how people are told').choices(NOTIFIER_KINDS))
    .argument('<target>', 'a URL, or an address for email; - reads it from standard input')
    .option('--types <types>', 'comma-separated event types (default: those that may need somebody)')
    .option('--summary-only', 'only the daily summary')
    .addHelpText('after', `\nExamples:\n  tidings notifier create ntfy https://ntfy.sh/my-topic\n  ${EXAMPLE}`)
    .action(
      cli.withClient(async ({ client, output, context }, options: NotifierOptions, kind: string, given: string) => {
        const path = await notifiersPath(client, options.user)
        const target = given === '-' ? await readSecret(context, 'Target (not shown)', EXAMPLE) : given
        const types = options.types?.split(',').map((type) => type.trim())
        const created = await client.post<NotifierView>(path, { kind, target, types, summaryOnly: options.summaryOnly })
        output.note(`It tells of ${created.types.join(', ')}. Its id:`)
        output.answer(created, () => printable(created.id))
      }),
    )
}

function testNotifier(cli: Cli): Command {
  return ofUser('test')
    .description('send a test message')
    .argument('<notifier>', 'its id')
    .action(
      cli.withClient(async ({ client, output }, { user }: NotifierOptions, typed: string) => {
        const { id, path } = await findNotifier(client, user, typed)
        const answer = await client.post<unknown>(`${path}/test`)
        output.answer(answer ?? { id, sent: true }, () => `A test message is sent to ${printable(id)}`)
      }),
    )
}

function removeNotifier(cli: Cli): Command {
  return withYesOption(ofUser('remove'))
    .description('remove a notifier and its pending messages; asks first on a terminal')
    .argument('<notifier>', 'its id')
    .action(
      cli.withClient(async ({ client, output, context }, options: NotifierOptions, typed: string) => {
        const { id, target, path } = await findNotifier(client, options.user, typed)
        await askFirst(context, options, `Remove the notifier to ${printable(target)} and its pending messages?`)
        await client.delete(path)
        output.answer({ id, removed: true }, () => `Notifier ${printable(id)} is removed`)
      }),
    )
}

const NOTIFIER = { one: 'notifier', many: 'notifiers', listedBy: 'tidings notifier list' }

async function findNotifier(client: Client, user: string | undefined, typed: string) {
  const all = await notifiersPath(client, user)
  const { id, target } = matchOrFail(NOTIFIER, await client.all<NotifierView>(all), typed)
  return { id, target, path: `${all}/${segment(id)}` }
}

async function notifiersPath(client: Client, user: string | undefined): Promise<string> {
  return `${userPath((await findUser(client, user)).id)}/notifiers`
}

function ofUser(name: string): Command {
  return withCommonOptions(new Command(name)).option(
    '--user <id or name>',
    'owner of the notifier (default: the default user, or the only one that you may see)',
  )
}
