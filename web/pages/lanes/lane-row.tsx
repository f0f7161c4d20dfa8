// One lane: its name and state in words, and its picture.
import { useEffect, useRef } from 'preact/hooks'
import { useNow } from '../../parts/time.tsx'
import { drawLane } from './draw-lane.ts'
import { isLeftAlone, type Lane, laneWords, timeRange } from './lane.ts'

interface Props {
  readonly lane: Lane
  readonly spanMs: number
  readonly height: number
}

/** Often enough to move by less than a pixel or two. */
function drawEveryMs(spanMs: number): number {
  return Math.min(10_000, Math.max(250, spanMs / 2400))
}

export function LaneRow({ lane, spanMs, height }: Props) {
  const now = useNow()
  const { host } = lane
  return (
    <li class={isLeftAlone(host, now) ? 'alone' : ''} style={{ height: `${height}px` }}>
      <div class="lane-name">
        <a href={`/sources?host=${encodeURIComponent(host.host)}`} title={host.host}>
          {host.host}
        </a>
        <span class="soft">{laneWords(lane, now)}</span>
      </div>
      <LanePicture lane={lane} spanMs={spanMs} />
    </li>
  )
}

function LanePicture({ lane, spanMs }: Omit<Props, 'height'>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const draw = () => drawLane(element, lane, Date.now(), spanMs)
    draw()
    const timer = setInterval(draw, drawEveryMs(spanMs))
    const resize = new ResizeObserver(draw)
    resize.observe(element)
    return () => {
      clearInterval(timer)
      resize.disconnect()
    }
  }, [lane, spanMs])
  return (
    <canvas
      ref={canvas}
      onPointerMove={(event) => {
        const { width } = event.currentTarget.getBoundingClientRect()
        event.currentTarget.title = wordsAt(lane, event.offsetX / width, spanMs, width)
      }}
    />
  )
}

function wordsAt(lane: Lane, share: number, spanMs: number, width: number): string {
  const { from } = timeRange(Date.now(), spanMs)
  const at = from + share * spanMs
  const nearMs = (6 / width) * spanMs
  return lane.visits.findLast((visit) => visit.from - nearMs <= at && at <= visit.to + nearMs)?.words() ?? ''
}
