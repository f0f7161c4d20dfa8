// One lane: its name and state in words, and its picture.
import { useCallback } from 'preact/hooks'
import { goTo } from '../../frame/router.ts'
import { useNow } from '../../parts/time.tsx'
import { drawLane } from './draw-lane.ts'
import { isLeftAlone, type Lane, laneWords } from './lane.ts'
import { showTip } from './lane-tip.tsx'
import { pollAt } from './poll-at.ts'
import { useDrawing } from './use-drawing.ts'

interface Props {
  readonly lane: Lane
  readonly spanMs: number
  readonly height: number
  /** Of the picture. All lanes have the same, so it is measured once. */
  readonly width: number
}

/** Often enough to move by about a pixel. */
function drawEveryMs(spanMs: number): number {
  return Math.min(10_000, spanMs / 1000)
}

export function LaneRow({ lane, spanMs, height, width }: Props) {
  const now = useNow()
  const { host } = lane
  return (
    <li class={isLeftAlone(host, now) ? 'alone' : ''} style={{ height: `${height}px` }}>
      <div class="lane-name">
        <a href={`/sources?host=${encodeURIComponent(host.host)}`} title={host.host}>
          {host.host}
        </a>
        <span class="soft">{laneWords(lane, now, spanMs)}</span>
      </div>
      <LanePicture lane={lane} spanMs={spanMs} width={width} />
    </li>
  )
}

function LanePicture({ lane, spanMs, width }: Omit<Props, 'height'>) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => drawLane(canvas, width, lane, Date.now(), spanMs),
    [lane, spanMs, width],
  )
  const canvas = useDrawing(draw, drawEveryMs(spanMs))
  const at = ({ offsetX }: MouseEvent) => pollAt(lane, offsetX, { width, spanMs, now: Date.now() })
  // The words beside the picture and the links on the pages of sources do the same for a keyboard.
  return (
    <canvas
      ref={canvas}
      onPointerMove={(event) => {
        const poll = at(event)
        event.currentTarget.style.cursor = poll ? 'pointer' : ''
        showTip(poll, event)
      }}
      onPointerLeave={() => showTip(null)}
      onClick={(event) => {
        const poll = at(event)
        showTip(null)
        if (poll) goTo(`/sources/${encodeURIComponent(poll.sourceId)}`)
      }}
    />
  )
}
