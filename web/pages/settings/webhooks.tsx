// Webhooks of a user: who is told of events, and what could not be delivered.
import { useState } from 'preact/hooks'
import type { EventType } from '../../../src/domain/event.ts'
import { call } from '../../api/call.ts'
import type { NewWebhookView, WebhookView } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import { userPath } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { NameForm } from './name-form.tsx'
import { ReceiverChoice, ReceiverRow, useReceivers } from './receivers.tsx'
import { ShownOnce } from './shown-once.tsx'

const CHOICES = {
  most: { name: 'Most events', types: null },
  posts: { name: 'New posts', types: ['posts.created', 'posts.completed'] },
  troubles: {
    name: 'What needs a person',
    types: ['source.disabled', 'source.quiet', 'source.gap', 'host.opened', 'outage.started', 'summary.daily'],
  },
} as const satisfies Readonly<Record<string, { name: string; types: readonly EventType[] | null }>>
type Choice = keyof typeof CHOICES

export function Webhooks({ userId }: { readonly userId: string }) {
  const path = `${userPath(userId)}/webhooks`
  const words = { kind: 'webhook', sent: 'A test event was sent.' }
  const { items, problem, reload, pathOf, test, remove } = useReceivers<WebhookView>(path, words)
  const [secret, setSecret] = useState<string | null>(null)
  const [choice, setChoice] = useState<Choice>('most')
  const [includePosts, setIncludePosts] = useState(false)
  const create = async (url: string) => {
    const { types } = CHOICES[choice]
    const body = { url: url.trim(), includePosts, ...(types ? { types } : {}) }
    const made = await call<NewWebhookView>('POST', path, body)
    setSecret(made.secret ?? null)
    await reload()
  }
  const replay = async (webhook: WebhookView) => {
    const { replayed } = await call<{ replayed: number }>('POST', `${pathOf(webhook)}/dead-letters/replay`)
    tell('good', `${replayed} messages are sent again.`)
    await reload()
  }
  return (
    <Region title="Webhooks">
      <p class="hint">Events are posted to these addresses, signed as the Standard Webhooks specification says.</p>
      <Trouble problem={problem} />
      {secret && <ShownOnce name="Signing secret" secret={secret} />}
      {items?.length === 0 && <Empty>No webhooks yet.</Empty>}
      <ul class="rows">
        {items?.map((webhook) => (
          <ReceiverRow
            key={webhook.id}
            name={webhook.url}
            onTest={() => test(webhook)}
            onRemove={() => remove(webhook, webhook.url)}
            more={webhook.deadLetters > 0 && <ActionButton work={() => replay(webhook)}>Send again</ActionButton>}
          >
            <b>{webhook.url}</b> <span class="soft">{deliveryWords(webhook)}</span>
          </ReceiverRow>
        ))}
      </ul>
      <ReceiverChoice
        label="Events"
        value={choice}
        choices={CHOICES}
        onChoose={(chosen) => setChoice(chosen)}
        box={{ label: 'With the posts themselves', isChecked: includePosts, check: setIncludePosts }}
      />
      <NameForm label="Webhook URL" type="url" placeholder="https://" button="Add webhook" onGiven={create} />
    </Region>
  )
}

function deliveryWords({ disabledReason, pending, deadLetters, types }: WebhookView): string {
  if (disabledReason) return `disabled: ${disabledReason}`
  const what = types.length > 4 ? 'most events' : types.join(', ')
  return `${what}; ${pending} to deliver, ${deadLetters} given up`
}
