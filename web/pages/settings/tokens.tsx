// Tokens of a user. A new one is shown once.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { NewTokenView, Page, TokenView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { userPath } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { When } from '../../parts/time.tsx'
import { NameForm } from './name-form.tsx'
import { ShownOnce } from './shown-once.tsx'

interface Props {
  readonly userId: string
  readonly mayMakeAdmin: boolean
}

export function Tokens({ userId, mayMakeAdmin }: Props) {
  const path = `${userPath(userId)}/tokens`
  const { data, problem, reload } = useAnswer<Page<TokenView>>(`${path}?limit=500`)
  const [made, setMade] = useState<string | null>(null)
  const [isAdmin, setAdmin] = useState(false)
  const create = async (name: string) => {
    const { token } = await call<NewTokenView>('POST', path, { name, ...(isAdmin ? { admin: true } : {}) })
    setMade(token)
    await reload()
  }
  const revoke = async ({ id, name }: TokenView) => {
    if (!(await confirmed(`Revoke ${name}?`, 'Whoever uses it is refused from now on.', 'Revoke token'))) return
    await call('DELETE', `${path}/${encodeURIComponent(id)}`)
    await reload()
  }
  return (
    <Region title="Tokens">
      <p class="hint">
        A program or a browser signs in with a token. On the command line: <code>tidings token create</code>.
      </p>
      <Trouble problem={problem} />
      {made && <ShownOnce name="New token" secret={made} />}
      {data?.items.length === 0 && <Empty>No tokens yet.</Empty>}
      <ul class="rows">
        {data?.items.map((token) => (
          <li key={token.id}>
            <span>
              <b dir="auto">{token.name}</b> {token.admin && <span class="health new">admin</span>}{' '}
              <span class="soft">
                last used <When at={token.lastUsedAt} />
                {token.expiresAt && (
                  <>
                    , ends <When at={token.expiresAt} />
                  </>
                )}
              </span>
            </span>
            <ActionButton class="danger" work={() => revoke(token)} label={`Revoke ${token.name}`}>
              Revoke
            </ActionButton>
          </li>
        ))}
      </ul>
      {mayMakeAdmin && (
        <label class="check-line">
          <input type="checkbox" checked={isAdmin} onChange={(event) => setAdmin(event.currentTarget.checked)} /> With
          admin rights
        </label>
      )}
      <NameForm label="Token name" button="Create token" onGiven={create} />
    </Region>
  )
}
