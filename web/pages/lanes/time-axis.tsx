// The times above the lanes. It stays in sight while the lanes scroll.
import { useCallback, useLayoutEffect } from 'preact/hooks'
import { timeRange } from './lane.ts'
import { startPicture } from './picture.ts'
import { ticksOf } from './time-ticks.ts'
import { useDrawing } from './use-drawing.ts'

/** A label closer to the word "now" would touch it. */
const NEAREST_TO_NOW_PX = 52
const HALF_A_LABEL_PX = 28

interface Props {
  readonly spanMs: number
  readonly width: number
  /** It is as wide as every lane, and so measured for all of them. */
  onWidth(width: number): void
}

export function TimeAxis({ spanMs, width, onWidth }: Props) {
  const draw = useCallback((canvas: HTMLCanvasElement) => drawAxis(canvas, width, Date.now(), spanMs), [spanMs, width])
  const canvas = useDrawing(draw, 1000)
  useLayoutEffect(() => {
    const element = canvas.current
    if (!element) return
    const measure = () => onWidth(element.clientWidth)
    measure()
    const resize = new ResizeObserver(measure)
    resize.observe(element)
    return () => resize.disconnect()
  }, [onWidth])
  return (
    <div class="time-axis" aria-hidden="true">
      <span />
      <canvas ref={canvas} />
    </div>
  )
}

function drawAxis(canvas: HTMLCanvasElement, width: number, now: number, spanMs: number): void {
  const range = timeRange(now, spanMs)
  const picture = startPicture(canvas, width, range)
  if (!picture) return
  const { context, height, colour, x } = picture
  context.font = '11px system-ui, sans-serif'
  context.textAlign = 'center'
  context.fillStyle = colour('--soft')
  for (const at of ticksOf(range, width)) {
    const isCut = x(at) < HALF_A_LABEL_PX || x(at) > width - HALF_A_LABEL_PX
    if (isCut || Math.abs(x(at) - x(now)) < NEAREST_TO_NOW_PX) continue
    context.fillText(clockTime(at), x(at), height - 8)
  }
  context.fillStyle = colour('--text')
  context.font = 'bold 11px system-ui, sans-serif'
  context.fillText('now', x(now), height - 8)
}

function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
