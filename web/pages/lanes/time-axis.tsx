// The times above the lanes. It stays in sight while the lanes scroll.
import { useEffect, useRef } from 'preact/hooks'
import { timeRange } from './lane.ts'
import { startPicture } from './picture.ts'
import { ticksOf } from './time-ticks.ts'

/** A label closer to the word "now" would touch it. */
const NEAREST_TO_NOW_PX = 52

export function TimeAxis({ spanMs }: { readonly spanMs: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const draw = () => drawAxis(element, Date.now(), spanMs)
    draw()
    const timer = setInterval(draw, 1000)
    const resize = new ResizeObserver(draw)
    resize.observe(element)
    return () => {
      clearInterval(timer)
      resize.disconnect()
    }
  }, [spanMs])
  return (
    <div class="time-axis" aria-hidden="true">
      <span />
      <canvas ref={canvas} />
    </div>
  )
}

function drawAxis(canvas: HTMLCanvasElement, now: number, spanMs: number): void {
  const range = timeRange(now, spanMs)
  const picture = startPicture(canvas, range)
  if (!picture) return
  const { context, width, height, colour, x } = picture
  context.font = '11px system-ui, sans-serif'
  context.textAlign = 'center'
  context.fillStyle = colour('--soft')
  for (const at of ticksOf(range, width)) {
    if (Math.abs(x(at) - x(now)) < NEAREST_TO_NOW_PX) continue
    context.fillText(clockTime(at), x(at), height - 8)
  }
  context.fillStyle = colour('--text')
  context.font = 'bold 11px system-ui, sans-serif'
  context.fillText('now', x(now), height - 8)
}

function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
