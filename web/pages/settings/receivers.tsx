// Who is told of events: webhooks for programs and notifiers for people are listed, tested and removed in the same way.
import type { ComponentChildren } from 'preact'
import { call } from '../../api/call.ts'
import type { Page } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import { ActionButton } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'

interface Words {
  /** What one of them is called. */
  readonly kind: string
  readonly sent: string
}

export function useReceivers<T extends { readonly id: string }>(path: string, { kind, sent }: Words) {
  const { data, problem, reload } = useAnswer<Page<T>>(`${path}?limit=500`)
  const pathOf = ({ id }: T) => `${path}/${encodeURIComponent(id)}`
  return {
    ...{ items: data?.items ?? null, problem, reload, pathOf },
    async test(receiver: T): Promise<void> {
      await call('POST', `${pathOf(receiver)}/test`)
      tell('good', sent)
      await reload()
    },
    async remove(receiver: T, name: string): Promise<void> {
      if (!(await confirmed(`Remove this ${kind}?`, `${name} is told nothing any more.`, `Remove ${kind}`))) return
      await call('DELETE', pathOf(receiver))
      await reload()
    },
  }
}

interface RowProps {
  readonly name: string
  readonly children: ComponentChildren
  /** Buttons between those that all have. */
  readonly more?: ComponentChildren
  onTest(): Promise<void>
  onRemove(): Promise<void>
}

export function ReceiverRow({ name, children, more, onTest, onRemove }: RowProps) {
  return (
    <li>
      <span>{children}</span>
      <span class="actions">
        <ActionButton work={onTest} label={`Test ${name}`}>
          Test
        </ActionButton>
        {more}
        <ActionButton class="danger" work={onRemove} label={`Remove ${name}`}>
          Remove
        </ActionButton>
      </span>
    </li>
  )
}

interface ChoiceProps<K extends string> {
  readonly label: string
  readonly value: K
  readonly choices: Readonly<Record<K, { readonly name: string }>>
  readonly box: { readonly label: string; readonly isChecked: boolean; check(isChecked: boolean): void }
  onChoose(value: K): void
}

/** What a new one is told of: one of several, and a box. */
export function ReceiverChoice<K extends string>({ label, value, choices, box, onChoose }: ChoiceProps<K>) {
  return (
    <div class="row-form">
      <label>
        {label}
        <select value={value} onChange={(event) => onChoose(event.currentTarget.value as K)}>
          {Object.entries<{ readonly name: string }>(choices).map(([key, { name }]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check-line">
        <input type="checkbox" checked={box.isChecked} onChange={(event) => box.check(event.currentTarget.checked)} />{' '}
        {box.label}
      </label>
    </div>
  )
}
