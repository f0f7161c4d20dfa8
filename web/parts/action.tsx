// A button that does something on the server: busy until it is done, and whatever goes wrong is told in words.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiProblem } from '../api/call.ts'
import { asProblem } from '../api/use-answer.ts'
import { reportProblem } from '../frame/connection.ts'
import { tell } from '../frame/notices.tsx'

export function tellProblem(error: unknown): ApiProblem {
  const problem = asProblem(error)
  if (problem.status === 401) reportProblem(problem)
  else tell('error', problem.isPassing ? `${problem.message} Then try again.` : messageOf(problem))
  return problem
}

/** What is wrong with single fields stands in `errors`; the detail may not repeat it. */
export function messageOf({ message, errors, status }: ApiProblem): string {
  if (status === 404 && /nothing at this path/.test(message)) return 'This Tidings does not offer this yet. Update it.'
  const more = errors.filter((error) => !message.includes(error.message))
  return [message, ...more.map((error) => `${error.path}: ${error.message}`)].join(' ')
}

/** One action at a time. `run` resolves to whether it went well. */
export function useAction(): { isBusy: boolean; run(work: () => Promise<unknown>): Promise<boolean> } {
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    async run(work) {
      if (isBusy) return false
      setBusy(true)
      try {
        await work()
        return true
      } catch (error) {
        tellProblem(error)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

interface ButtonProps {
  readonly work: () => Promise<unknown>
  readonly children: ComponentChildren
  readonly class?: string
  readonly label?: string
  readonly isDisabled?: boolean
  readonly isSubmit?: boolean
}

/**
 * A busy button keeps the focus, so it is marked as disabled instead of being disabled. Where its work takes the button
 * away, the focus goes to the part of the page that held it.
 */
export function ActionButton({ work, children, label, isDisabled = false, ...rest }: ButtonProps) {
  const { isBusy, run } = useAction()
  return (
    <button
      type="button"
      class={rest.class ?? ''}
      aria-label={label}
      aria-busy={isBusy}
      aria-disabled={isBusy || isDisabled}
      onClick={({ currentTarget }) => {
        if (isDisabled) return
        const around = currentTarget.closest<HTMLElement>('section, main')
        void run(work).then(() => requestAnimationFrame(() => keepFocus(around)))
      }}
    >
      {children}
    </button>
  )
}

function keepFocus(around: HTMLElement | null): void {
  if (document.activeElement !== document.body || !around?.isConnected) return
  around.tabIndex = -1
  around.focus({ preventScroll: true })
}
