// Below the navigation: the choice of the podcast, whether live events arrive, and the way out.
import { forgetToken, hasToken } from '../api/call.ts'
import { isLive, stopLive } from '../api/live.ts'
import { useValue } from '../parts/state.ts'
import { signInNeeded, unreachable } from './connection.ts'
import { choosePodcast, chosenPodcast, podcasts } from './podcasts.ts'

export function Tools() {
  const known = useValue(podcasts)
  const chosen = useValue(chosenPodcast)
  const live = useValue(isLive)
  const trouble = useValue(unreachable)
  const asksToken = useValue(signInNeeded)
  return (
    <>
      {known && known.length > 1 && !asksToken && (
        <label class="podcast">
          <span class="visually-hidden">Podcast</span>
          <select value={chosen?.path ?? ''} onChange={(event) => choosePodcast(event.currentTarget.value)}>
            {known.map(({ path, title }) => (
              <option key={path} value={path} dir="auto">
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {trouble !== null && (
        <p class="connection" role="alert">
          {trouble}
        </p>
      )}
      <p class={`live ${live ? 'on' : ''}`}>
        <span class="dot" aria-hidden="true" />
        {live ? 'Live' : 'Not live'}
      </p>
      <a href="/docs">API</a>
      {hasToken() && !asksToken && (
        <button
          type="button"
          class="link"
          onClick={() => {
            forgetToken()
            stopLive()
            location.reload()
          }}
        >
          Sign out
        </button>
      )}
    </>
  )
}
