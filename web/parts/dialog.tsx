// A dialog over the page. Escape closes it, and the focus goes back to where it was.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  readonly children: ComponentChildren
  onClose(): void
}

export function Dialog({ title, children, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the effects of what it holds, which may move the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    // Without one the browser takes the first button, which closes.
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      setTimeout(() => {
        const isThere = before instanceof HTMLElement && before.isConnected
        const target = isThere ? before : document.getElementById('page')
        target?.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  )
}
