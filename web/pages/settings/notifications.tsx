// Notifiers: messages for people by ntfy, Slack or email.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { NotifierView, Page } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import { userPath } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { NameForm } from './name-form.tsx'

const KINDS = {
  ntfy: { name: 'ntfy', placeholder: 'https://ntfy.sh/my-topic' },
  slack: { name: 'Slack', placeholder: 'https://hooks.slack.com/services/...' },
  email: { name: 'Email', placeholder: 'me@example.org' },
} as const
type Kind = keyof typeof KINDS

export function Notifications({ userId }: { readonly userId: string }) {
  const path = `${userPath(userId)}/notifiers`
  const { data, problem, reload } = useAnswer<Page<NotifierView>>(path)
  const [kind, setKind] = useState<Kind>('ntfy')
  const [summaryOnly, setSummaryOnly] = useState(false)
  const create = async (target: string) => {
    await call('POST', path, { kind, target: target.trim(), ...(summaryOnly ? { summaryOnly } : {}) })
    await reload()
  }
  const test = async ({ id }: NotifierView) => {
    await call('POST', `${path}/${encodeURIComponent(id)}/test`)
    tell('good', 'Sent. Look whether it arrived.')
  }
  const remove = async ({ id, target }: NotifierView) => {
    if (!(await confirmed('Remove this notifier?', `${target} is told nothing any more.`, 'Remove notifier'))) return
    await call('DELETE', `${path}/${encodeURIComponent(id)}`)
    await reload()
  }
  return (
    <Region title="Notifications">
      <p class="hint">
        A message when a source is disabled or goes quiet, a host is left alone, or the network is down.
      </p>
      <Trouble problem={problem} />
      {data?.items.length === 0 && <Empty>Nobody is notified yet.</Empty>}
      <ul class="rows">
        {data?.items.map((notifier) => (
          <li key={notifier.id}>
            <span>
              <b>{KINDS[notifier.kind]?.name ?? notifier.kind}</b> {notifier.target}{' '}
              {notifier.summaryOnly && <span class="soft">daily summary only</span>}{' '}
              {notifier.disabledReason && <span class="soft">disabled: {notifier.disabledReason}</span>}
            </span>
            <span class="actions">
              <ActionButton work={() => test(notifier)} label={`Test ${notifier.target}`}>
                Test
              </ActionButton>
              <ActionButton class="danger" work={() => remove(notifier)} label={`Remove ${notifier.target}`}>
                Remove
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
      {!problem && (
        <>
          <div class="row-form">
            <label>
              Kind
              <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
                {Object.entries(KINDS).map(([value, { name }]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label class="check-line">
              <input
                type="checkbox"
                checked={summaryOnly}
                onChange={(event) => setSummaryOnly(event.currentTarget.checked)}
              />{' '}
              Daily summary only
            </label>
          </div>
          <NameForm label="Target" placeholder={KINDS[kind].placeholder} button="Add notifier" onGiven={create} />
        </>
      )}
    </Region>
  )
}
