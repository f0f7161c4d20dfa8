// Asks before something that cannot be undone.

import { Dialog } from './dialog.tsx'
import { createState, useValue } from './state.ts'

interface Question {
  readonly title: string
  readonly text: string
  readonly yes: string
  answer(yes: boolean): void
}

const asked = createState<Question | null>(null)

export function confirmed(title: string, text: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    asked.set({
      ...{ title, text, yes },
      answer(given) {
        asked.set(null)
        resolve(given)
      },
    })
  })
}

export function Confirmation() {
  const question = useValue(asked)
  if (!question) return null
  return (
    <Dialog title={question.title} onClose={() => question.answer(false)}>
      <p>{question.text}</p>
      <div class="actions end">
        <button type="button" onClick={() => question.answer(false)}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={() => question.answer(true)}>
          {question.yes}
        </button>
      </div>
    </Dialog>
  )
}
