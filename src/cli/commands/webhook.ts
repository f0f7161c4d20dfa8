// `webhook`: who is told of events over HTTP. Creates, lists, tests and removes webhooks.
import { Command } from 'commander'
import type { NewWebhookView, WebhookView } from '../../catalogue/shapes/webhook-answers.ts'
import { EVENT_TYPES } from '../../domain/event.ts'
import type { Cli } from '../cli.ts'
import { type Client, segment } from '../connection/client.ts'
import { findUser, userPath } from '../connection/find-by-name.ts'
import { matchOrFail } from '../connection/match-id.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'
import { withoutScheme } from '../terminal/layout.ts'
import { printable } from '../terminal/output.ts'
import { readSecret } from '../terminal/read-secret.ts'
import type { Column } from '../terminal/table.ts'

interface WebhookOptions extends CommonOptions, YesOption {
  readonly user?: string
  readonly types?: string
  readonly secretStdin?: boolean
}

export function webhookCommand(cli: Cli): Command {
  const webhook = new Command('webhook').description('webhooks, which are told of events: list, create, test, remove')
  for (const sub of [listWebhooks(cli), createWebhook(cli), testWebhook(cli), removeWebhook(cli)]) {
    webhook.addCommand(sub)
  }
  return webhook
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', fixed: true },
  { title: 'URL', key: true, shorten: withoutScheme },
  { title: 'EVENTS' },
  { title: 'PENDING', align: 'right', fixed: true, drop: 1 },
  { title: 'FAILED', align: 'right', fixed: true, drop: 2 },
  { title: 'STATE' },
]

function listWebhooks(cli: Cli): Command {
  return ofUser('list')
    .description('list the webhooks of a user, with what waits for delivery')
    .action(
      cli.withClient(async ({ client, output }, { user }: WebhookOptions) => {
        const webhooks = await client.all<WebhookView>(await webhooksPath(client, user))
        const row = (each: WebhookView) => [
          each.id,
          each.url,
          eventsOf(each),
          String(each.pending),
          String(each.deadLetters),
          each.disabledAt === null ? 'ok' : `off: ${each.disabledReason ?? 'the receiver is gone'}`,
        ]
        output.list(webhooks, COLUMNS, row, 'No webhooks. Create one with: tidings webhook create URL')
      }),
    )
}

function createWebhook(cli: Cli): Command {
  return ofUser('create')
    .description('add a webhook; the secret that signs its messages is shown once')
    .argument('<url>', 'where messages are sent')
    .option('--types <types>', `comma-separated (default: all): ${EVENT_TYPES.join(', ')}`)
    .option('--secret-stdin', 'read the signing secret from standard input instead of making one')
    .addHelpText('after', '\nExample:\n  tidings webhook create https://example.org/hook --types posts.created')
    .action(
      cli.withClient(async ({ client, output, context }, options: WebhookOptions, url: string) => {
        const example = 'tidings webhook create https://example.org/hook --secret-stdin < secret.txt'
        const types = options.types?.split(',').map((type) => type.trim())
        const path = await webhooksPath(client, options.user)
        const secret = options.secretStdin ? await readSecret(context, 'Secret (not shown)', example) : undefined
        const created = await client.post<NewWebhookView>(path, { url, types, secret })
        output.note(`Webhook ${printable(created.id)} is told of ${eventsOf(created)}.`)
        if (created.secret !== undefined) output.note('Keep its secret: it is not shown again.')
        output.answer(created, () => created.secret ?? printable(created.id))
      }),
    )
}

function testWebhook(cli: Cli): Command {
  return ofUser('test')
    .description('send a test message to a webhook')
    .argument('<webhook>', 'its id')
    .action(
      cli.withClient(async ({ client, output }, { user }: WebhookOptions, typed: string) => {
        const { id, path } = await findWebhook(client, user, typed)
        const answer = await client.post<unknown>(`${path}/test`)
        output.answer(answer ?? { id, sent: true }, () => `A test message is sent to ${printable(id)}`)
      }),
    )
}

function removeWebhook(cli: Cli): Command {
  return withYesOption(ofUser('remove'))
    .description('remove a webhook and its pending messages; asks first on a terminal')
    .argument('<webhook>', 'its id')
    .action(
      cli.withClient(async ({ client, output, context }, options: WebhookOptions, typed: string) => {
        const { id, url, path } = await findWebhook(client, options.user, typed)
        await askFirst(context, options, `Remove the webhook to ${printable(url)} and its pending messages?`)
        await client.delete(path)
        output.answer({ id, removed: true }, () => `Webhook ${printable(id)} is removed`)
      }),
    )
}

function eventsOf({ types }: WebhookView): string {
  return types.length === EVENT_TYPES.length ? 'all events' : types.join(', ')
}

const WEBHOOK = { one: 'webhook', many: 'webhooks', listedBy: 'tidings webhook list' }

async function findWebhook(client: Client, user: string | undefined, typed: string) {
  const all = await webhooksPath(client, user)
  const { id, url } = matchOrFail(WEBHOOK, await client.all<WebhookView>(all), typed)
  return { id, url, path: `${all}/${segment(id)}` }
}

async function webhooksPath(client: Client, user: string | undefined): Promise<string> {
  return `${userPath((await findUser(client, user)).id)}/webhooks`
}

function ofUser(name: string): Command {
  return withCommonOptions(new Command(name)).option(
    '--user <id or name>',
    'owner of the webhook (default: the default user, or the only one that you may see)',
  )
}
