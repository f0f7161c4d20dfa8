// What the poll under the pointer was or will be. There is one tip for all lanes.
import { useEffect } from 'preact/hooks'
import { createState, useValue } from '../../parts/state.ts'
import { durationWords, fromNow, inFull } from '../../parts/time.tsx'
import type { PolledAt } from './poll-at.ts'

interface Tip {
  readonly poll: PolledAt
  readonly left: number
  readonly top: number
}

const tip = createState<Tip | null>(null)
const WIDTH = 320
/** About as high as it gets. */
const HEIGHT = 110
const FROM_POINTER = 16

export function showTip(poll: PolledAt | null, pointer?: MouseEvent): void {
  tip.set(poll && pointer ? { poll, ...placeBeside(pointer) } : null)
}

function placeBeside({ clientX, clientY }: MouseEvent): { readonly left: number; readonly top: number } {
  const left = Math.min(clientX + FROM_POINTER, innerWidth - WIDTH - FROM_POINTER)
  const isLow = clientY + FROM_POINTER + HEIGHT > innerHeight
  return { left: Math.max(FROM_POINTER / 2, left), top: isLow ? clientY - HEIGHT : clientY + FROM_POINTER }
}

export function LaneTip() {
  const shown = useValue(tip)
  useEffect(() => {
    const hide = () => showTip(null)
    addEventListener('scroll', hide, { passive: true })
    return () => {
      removeEventListener('scroll', hide)
      hide()
    }
  }, [])
  if (!shown) return null
  const { poll, left, top } = shown
  return (
    <div class="lane-tip" aria-hidden="true" style={{ left: `${left}px`, top: `${top}px`, maxWidth: `${WIDTH}px` }}>
      {'visit' in poll ? (
        <>
          <b class={poll.visit.kind}>{capital(poll.visit.result)}</b>
          <span>{poll.visit.url.replace(/^https?:\/\//, '')}</span>
          <span class="soft">
            {inFull(poll.visit.from)}, took {durationWords(poll.visit.to - poll.visit.from)}
          </span>
        </>
      ) : (
        <>
          <b class="planned">Planned {fromNow(poll.at)}</b>
          <bdi>{poll.planned.name}</bdi>
          <span class="soft">{inFull(poll.at)}</span>
        </>
      )}
    </div>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
