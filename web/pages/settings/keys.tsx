// Keys of providers, such as X. They can be written and removed, never read.
import { call } from '../../api/call.ts'
import type { KeyView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import { userPath } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Region, Trouble } from '../../parts/small.tsx'
import { When } from '../../parts/time.tsx'
import { NameForm } from './name-form.tsx'

export function Keys({ userId }: { readonly userId: string }) {
  const path = `${userPath(userId)}/keys/x`
  const { data, problem, reload } = useAnswer<KeyView>(path)
  const store = async (apiKey: string) => {
    await call('PUT', path, { apiKey })
    tell('good', 'Stored, encrypted. X accounts are polled now.')
    await reload()
  }
  const remove = async () => {
    if (!(await confirmed('Remove the X key?', 'X accounts cannot be polled without one.', 'Remove key'))) return
    await call('DELETE', path)
    await reload()
  }
  return (
    <Region title="Keys">
      <p class="hint">X accounts are read with each user's own API key. It is stored encrypted and never shown.</p>
      <Trouble problem={problem} />
      <ul class="rows">
        <li>
          <span>
            <b>X</b>{' '}
            <span class={`health ${data?.configured ? 'ok' : 'new'}`}>{data?.configured ? 'stored' : 'none'}</span>{' '}
            {data?.configured && (
              <span class="soft">
                <When at={data.updatedAt} none="" />
              </span>
            )}
          </span>
          {data?.configured && (
            <ActionButton class="danger" work={remove} label="Remove X key">
              Remove
            </ActionButton>
          )}
        </li>
      </ul>
      <NameForm label="X API key" type="password" button="Store key" onGiven={store} />
    </Region>
  )
}
