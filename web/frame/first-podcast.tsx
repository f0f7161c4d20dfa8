// Somebody without a podcast makes one first, because sources belong to one.
import { useRef } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../parts/action.tsx'
import { ownerId, readPodcasts, userPath } from './podcasts.ts'

export function FirstPodcast() {
  const field = useRef<HTMLInputElement>(null)
  const { isBusy, run } = useAction()
  const create = async () => {
    await call('POST', `${userPath(ownerId())}/podcasts`, { name: field.current?.value })
    await readPodcasts()
  }
  return (
    <form
      class="card sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void run(create)
      }}
    >
      <h1>Your first podcast</h1>
      <p>You have no podcast yet. Sources belong to one: give it a name to begin.</p>
      <label>
        Name
        <input ref={field} name="name" maxLength={200} autocomplete="off" required />
      </label>
      <button type="submit" class="primary" aria-busy={isBusy}>
        Create podcast
      </button>
    </form>
  )
}
