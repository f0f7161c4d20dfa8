// The users of this Tidings, for those who may see them.
import { call } from '../../api/call.ts'
import type { Page, UserView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import { readPodcasts, userPath } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Region, Trouble } from '../../parts/small.tsx'
import { When } from '../../parts/time.tsx'
import { NameForm } from './name-form.tsx'

export function Users() {
  const { data, problem, reload } = useAnswer<Page<UserView>>('/users?limit=500')
  const create = async (name: string) => {
    await call('POST', '/users', { name })
    tell('good', `Made ${name}. Give them a token: tidings token create --user "${name}".`)
    await Promise.all([reload(), readPodcasts()])
  }
  const remove = async ({ id, name }: UserView) => {
    const text = `All podcasts, sources, posts, tokens and keys of "${name}" go too.`
    if (!(await confirmed(`Remove ${name}?`, text, 'Remove user'))) return
    await call('DELETE', userPath(id))
    await Promise.all([reload(), readPodcasts()])
  }
  return (
    <Region title="Users">
      <p class="hint">Each user sees their own podcasts only. An admin token sees everything.</p>
      <Trouble problem={problem} />
      <ul class="rows">
        {data?.items.map((user) => (
          <li key={user.id}>
            <span>
              <b dir="auto">{user.name}</b>{' '}
              <span class="soft">
                since <When at={user.createdAt} />
              </span>
            </span>
            {user.id !== 'default' && (
              <ActionButton class="danger" work={() => remove(user)} label={`Remove ${user.name}`}>
                Remove
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      <NameForm label="New user" button="Create user" onGiven={create} />
    </Region>
  )
}
