// Notifiers: messages for people by ntfy, Slack or email.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { NotifierView } from '../../api/types.ts'
import { userPath } from '../../frame/podcasts.ts'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { NameForm } from './name-form.tsx'
import { ReceiverChoice, ReceiverRow, useReceivers } from './receivers.tsx'

const KINDS = {
  ntfy: { name: 'ntfy', placeholder: 'https://ntfy.sh/my-topic' },
  slack: { name: 'Slack', placeholder: 'https://hooks.slack.com/services/...' },
  email: { name: 'Email', placeholder: 'me@example.org' },
} as const
type Kind = keyof typeof KINDS

export function Notifications({ userId }: { readonly userId: string }) {
  const path = `${userPath(userId)}/notifiers`
  const words = { kind: 'notifier', sent: 'Sent. Look whether it arrived.' }
  const { items, problem, reload, test, remove } = useReceivers<NotifierView>(path, words)
  const [kind, setKind] = useState<Kind>('ntfy')
  const [summaryOnly, setSummaryOnly] = useState(false)
  const create = async (target: string) => {
    await call('POST', path, { kind, target: target.trim(), ...(summaryOnly ? { summaryOnly } : {}) })
    await reload()
  }
  return (
    <Region title="Notifications">
      <p class="hint">
        A message when a source is disabled or goes quiet, a host is left alone, or the network is down.
      </p>
      <Trouble problem={problem} />
      {items?.length === 0 && <Empty>Nobody is notified yet.</Empty>}
      <ul class="rows">
        {items?.map((notifier) => (
          <ReceiverRow
            key={notifier.id}
            name={notifier.target}
            onTest={() => test(notifier)}
            onRemove={() => remove(notifier, notifier.target)}
          >
            <b>{KINDS[notifier.kind]?.name ?? notifier.kind}</b> {notifier.target}{' '}
            {notifier.summaryOnly && <span class="soft">daily summary only</span>}{' '}
            {notifier.disabledReason && <span class="soft">disabled: {notifier.disabledReason}</span>}
          </ReceiverRow>
        ))}
      </ul>
      {!problem && (
        <>
          <ReceiverChoice
            label="Kind"
            value={kind}
            choices={KINDS}
            onChoose={(chosen) => setKind(chosen)}
            box={{ label: 'Daily summary only', isChecked: summaryOnly, check: setSummaryOnly }}
          />
          <NameForm label="Target" placeholder={KINDS[kind].placeholder} button="Add notifier" onGiven={create} />
        </>
      )}
    </Region>
  )
}
