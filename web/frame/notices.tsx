// Short messages over the page: what came of an action, and a way to undo it. They never move the page.
import { createState, useValue } from '../parts/state.ts'

export interface Notice {
  readonly id: number
  readonly kind: 'good' | 'error' | 'plain'
  readonly text: string
  readonly action?: { readonly name: string; run(): void }
  readonly onClose?: () => void
}

const GOOD_MS = 6000
const ERROR_MS = 20_000
const notices = createState<readonly Notice[]>([])
let lastId = 0

/** Returns a function that closes it. */
export function tell(kind: Notice['kind'], text: string, more: Partial<Notice> & { forMs?: number } = {}): () => void {
  const id = ++lastId
  const { forMs = kind === 'error' ? ERROR_MS : GOOD_MS, ...rest } = more
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    notices.update((all) => all.filter((notice) => notice.id !== id))
    rest.onClose?.()
  }
  notices.update((all) => [...all.slice(-3), { ...rest, id, kind, text, onClose: close }])
  setTimeout(close, forMs)
  return close
}

export function Notices() {
  const shown = useValue(notices)
  return (
    <>
      <output>
        {shown
          .filter(({ kind }) => kind !== 'error')
          .map((notice) => (
            <NoticeBox key={notice.id} {...notice} />
          ))}
      </output>
      <div role="alert">
        {shown
          .filter(({ kind }) => kind === 'error')
          .map((notice) => (
            <NoticeBox key={notice.id} {...notice} />
          ))}
      </div>
    </>
  )
}

function NoticeBox({ kind, text, action, onClose }: Notice) {
  return (
    <div class={`notice ${kind}`}>
      <p>{text}</p>
      {action && (
        <button type="button" class="link" onClick={action.run}>
          {action.name}
        </button>
      )}
      <button type="button" class="icon" aria-label="Close message" onClick={onClose}>
        ✕
      </button>
    </div>
  )
}
