// The podcasts of a user: made, renamed, removed.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Page, PodcastView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import { readPodcasts, userPath } from '../../frame/podcasts.ts'
import { ActionButton, tellProblem } from '../../parts/action.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Region, Trouble } from '../../parts/small.tsx'
import { NameForm } from './name-form.tsx'

export function Podcasts({ userId }: { readonly userId: string }) {
  const path = `${userPath(userId)}/podcasts`
  const { data, problem, reload } = useAnswer<Page<PodcastView>>(`${path}?limit=500`)
  const refresh = async () => {
    await Promise.all([reload(), readPodcasts()])
  }
  const create = async (name: string) => {
    await call('POST', path, { name })
    tell('good', `Made ${name}.`)
    await refresh()
  }
  const remove = async ({ id, name }: PodcastView) => {
    const text = `All sources, posts and articles of "${name}" go with it.`
    if (!(await confirmed(`Remove ${name}?`, text, 'Remove podcast'))) return
    await call('DELETE', `${path}/${encodeURIComponent(id)}`)
    await refresh()
  }
  const rename = async ({ id }: PodcastView, name: string) => {
    try {
      await call('PATCH', `${path}/${encodeURIComponent(id)}`, { name })
      tell('good', `Renamed to ${name}.`)
    } catch (error) {
      tellProblem(error)
    }
    await refresh()
  }
  return (
    <Region title="Podcasts">
      <p class="hint">Sources, posts and articles belong to a podcast.</p>
      <Trouble problem={problem} />
      <ul class="rows">
        {data?.items.map((podcast) => (
          <li key={podcast.id}>
            <PodcastName name={podcast.name} onGiven={(name) => rename(podcast, name)} />
            {podcast.id !== 'default' && (
              <ActionButton class="danger" work={() => remove(podcast)} label={`Remove ${podcast.name}`}>
                Remove
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      <NameForm label="New podcast" button="Create podcast" onGiven={create} />
    </Region>
  )
}

/** What is being typed is kept apart from the name, so that news about other podcasts does not undo it. */
function PodcastName({ name, onGiven }: { readonly name: string; readonly onGiven: (name: string) => Promise<void> }) {
  const [typed, setTyped] = useState<string | null>(null)
  const give = async (given: string) => {
    await onGiven(given)
    setTyped(null)
  }
  return (
    <input
      aria-label={`Name of ${name}`}
      value={typed ?? name}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => void give(event.currentTarget.value)}
    />
  )
}
