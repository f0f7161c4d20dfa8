// Webhooks of a user: who is told of events, and what could not be delivered.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { NewWebhookView, Page, WebhookView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import { userPath } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { NameForm } from './name-form.tsx'
import { ShownOnce } from './shown-once.tsx'

export function Webhooks({ userId }: { readonly userId: string }) {
  const path = `${userPath(userId)}/webhooks`
  const { data, problem, reload } = useAnswer<Page<WebhookView>>(`${path}?limit=500`)
  const [secret, setSecret] = useState<string | null>(null)
  const create = async (url: string) => {
    const made = await call<NewWebhookView>('POST', path, { url: url.trim() })
    setSecret(made.secret ?? null)
    await reload()
  }
  const test = async ({ id }: WebhookView) => {
    await call('POST', `${path}/${encodeURIComponent(id)}/test`)
    tell('good', 'A test event was sent.')
    await reload()
  }
  const replay = async ({ id }: WebhookView) => {
    const { replayed } = await call<{ replayed: number }>(
      'POST',
      `${path}/${encodeURIComponent(id)}/dead-letters/replay`,
    )
    tell('good', `${replayed} messages are sent again.`)
    await reload()
  }
  const remove = async ({ id, url }: WebhookView) => {
    if (!(await confirmed('Remove this webhook?', `${url} is told nothing any more.`, 'Remove webhook'))) return
    await call('DELETE', `${path}/${encodeURIComponent(id)}`)
    await reload()
  }
  return (
    <Region title="Webhooks">
      <p class="hint">Events are posted to these addresses, signed as the Standard Webhooks specification says.</p>
      <Trouble problem={problem} />
      {secret && <ShownOnce name="Signing secret" secret={secret} />}
      {data?.items.length === 0 && <Empty>No webhooks yet.</Empty>}
      <ul class="rows">
        {data?.items.map((webhook) => (
          <li key={webhook.id}>
            <span>
              <b>{webhook.url}</b> <span class="soft">{deliveryWords(webhook)}</span>
            </span>
            <span class="actions">
              <ActionButton work={() => test(webhook)} label={`Test ${webhook.url}`}>
                Test
              </ActionButton>
              {webhook.deadLetters > 0 && <ActionButton work={() => replay(webhook)}>Send again</ActionButton>}
              <ActionButton class="danger" work={() => remove(webhook)} label={`Remove ${webhook.url}`}>
                Remove
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
      <NameForm label="Webhook URL" type="url" placeholder="https://" button="Add webhook" onGiven={create} />
    </Region>
  )
}

function deliveryWords({ disabledReason, pending, deadLetters, types }: WebhookView): string {
  if (disabledReason) return `disabled: ${disabledReason}`
  const what = types.length > 4 ? 'most events' : types.join(', ')
  return `${what}; ${pending} to deliver, ${deadLetters} given up`
}
