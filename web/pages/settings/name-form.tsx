// A form with one field and a button, as many parts of the settings have.
import { useState } from 'preact/hooks'
import { useAction } from '../../parts/action.tsx'

interface Props {
  readonly label: string
  readonly button: string
  readonly type?: 'text' | 'password' | 'url'
  readonly placeholder?: string
  onGiven(text: string): Promise<unknown>
}

export function NameForm({ label, button, type = 'text', placeholder, onGiven }: Props) {
  const [text, setText] = useState('')
  const { isBusy, run } = useAction()
  return (
    <form
      class="row-form"
      onSubmit={(event) => {
        event.preventDefault()
        // What was typed meanwhile stays.
        void run(() => onGiven(text)).then((isDone) => isDone && setText((now) => (now === text ? '' : now)))
      }}
    >
      <label>
        {label}
        <input
          type={type === 'url' ? 'text' : type}
          autocomplete="off"
          required
          value={text}
          {...(placeholder ? { placeholder } : {})}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" aria-busy={isBusy}>
        {button}
      </button>
    </form>
  )
}
