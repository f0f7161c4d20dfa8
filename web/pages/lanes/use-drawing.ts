// Keeps a canvas drawn: in the frame in which what it shows changes, as time goes on, and in the colours in force.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** `draw` is another function when it draws something else. */
export function useDrawing(draw: (canvas: HTMLCanvasElement) => void, everyMs: number): RefObject<HTMLCanvasElement> {
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef(draw)
  latest.current = draw
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current)
  }, [draw])
  useEffect(() => {
    const drawAgain = () => canvas.current && latest.current(canvas.current)
    const timer = setInterval(drawAgain, everyMs)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', drawAgain)
    return () => {
      clearInterval(timer)
      scheme.removeEventListener('change', drawAgain)
    }
  }, [everyMs])
  return canvas
}
