// Short messages over the page: what came of an action, and a way to undo it. They never move the page. The time of a
// message stands still while the pointer or the focus is on it.
import { useEffect } from 'preact/hooks'
import { type Countdown, startCountdown } from '../parts/countdown.ts'
import { createState, useValue } from '../parts/state.ts'

interface More {
  readonly action?: { readonly name: string; run(): void }
  readonly onClose?: () => void
  readonly forMs?: number
}

interface Notice extends Pick<More, 'action'> {
  readonly id: number
  readonly kind: 'good' | 'error' | 'plain'
  readonly text: string
  readonly time: Countdown
  close(): void
}

const GOOD_MS = 6000
const ERROR_MS = 20_000
const notices = createState<readonly Notice[]>([])
let lastId = 0

/** Returns a function that closes it. */
export function tell(kind: Notice['kind'], text: string, { action, onClose, forMs }: More = {}): () => void {
  const id = ++lastId
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    time.stop()
    notices.update((all) => all.filter((notice) => notice.id !== id))
    onClose?.()
  }
  const time = startCountdown(forMs ?? (kind === 'error' ? ERROR_MS : GOOD_MS), close)
  notices.update((all) => [...all.slice(-3), { id, kind, text, time, close, ...(action ? { action } : {}) }])
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

function NoticeBox({ kind, text, action, time, close }: Notice) {
  // One that makes room for others is left by nobody, and its time goes on.
  useEffect(
    () => () => {
      time.release('pointer')
      time.release('focus')
    },
    [time],
  )
  return (
    <div
      class={`notice ${kind}`}
      onPointerEnter={() => time.hold('pointer')}
      onPointerLeave={() => time.release('pointer')}
      onFocusIn={() => time.hold('focus')}
      onFocusOut={() => time.release('focus')}
    >
      <p>{text}</p>
      {action && (
        <button type="button" class="link" onClick={() => leave(action.run)}>
          {action.name}
        </button>
      )}
      <button type="button" class="icon" aria-label="Close message" onClick={() => leave(close)}>
        ✕
      </button>
    </div>
  )
}

/** The button goes away with its message, so the focus goes to the page. */
function leave(act: () => void): void {
  act()
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true })
  })
}
