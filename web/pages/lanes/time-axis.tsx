// The times above the lanes. It stays in sight while the lanes scroll.
import { useEffect, useRef } from 'preact/hooks'
import { timeRange } from './lane.ts'
import { startPicture } from './picture.ts'

const MINUTE = 60_000
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * MINUTE)
const NARROWEST_STEP_PX = 74

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
  const picture = startPicture(canvas, timeRange(now, spanMs))
  if (!picture) return
  const { context, width, height, colour, x } = picture
  const range = timeRange(now, spanMs)
  const step = STEPS.find((ms) => (ms / spanMs) * width >= NARROWEST_STEP_PX) ?? 720 * MINUTE
  const offset = new Date(now).getTimezoneOffset() * MINUTE
  context.font = '11px system-ui, sans-serif'
  context.textAlign = 'center'
  context.fillStyle = colour('--soft')
  for (let at = Math.ceil((range.from - offset) / step) * step + offset; at < range.to; at += step) {
    if (Math.abs(x(at) - x(now)) < 40) continue
    context.fillText(clockTime(at), x(at), height - 8)
  }
  context.fillStyle = colour('--text')
  context.font = 'bold 11px system-ui, sans-serif'
  context.fillText('now', x(now), height - 8)
}

function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
