// Asks for a token, and says where tokens come from.
import { useEffect, useRef } from 'preact/hooks'
import { keepToken } from '../api/call.ts'
import { forgetAnswers } from '../api/use-answer.ts'
import { forgetPages } from '../parts/use-pages.ts'

interface Props {
  readonly message: string
  readonly isError: boolean
  onSignedIn(): unknown
}

export function SignIn({ message, isError, onSignedIn }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.body.dataset.asks = 'token'
    document.title = 'Sign in · Tidings'
    field.current?.focus()
    return () => {
      delete document.body.dataset.asks
    }
  }, [])
  return (
    <form
      class="card sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        // Somebody else may sign in.
        forgetAnswers()
        forgetPages()
        keepToken(field.current?.value.trim() ?? '')
        onSignedIn()
      }}
    >
      <h1>Sign in</h1>
      <p class={isError ? 'error' : ''} role={isError ? 'alert' : undefined}>
        {message}
      </p>
      <label>
        Token
        <input ref={field} name="token" type="password" autocomplete="off" required />
      </label>
      <button type="submit" class="primary">
        Sign in
      </button>
      <div class="hint">
        <p>
          A token is made on the machine where Tidings runs:
          <code>tidings token create --user default --admin --name laptop</code>
        </p>
        <p>It is kept in this browser tab only. Whoever runs this Tidings can also make one for you under Settings.</p>
      </div>
    </form>
  )
}
