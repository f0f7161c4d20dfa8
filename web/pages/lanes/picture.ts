// A canvas as sharp as the screen, with time from left to right and the colours of the page.
import type { TimeRange } from './lane.ts'

export interface Picture {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  colour(property: string): string
  x(at: number): number
}

/**
 * The width is given, because reading it from the canvas would have the page laid out anew for each of many lanes. The
 * height is the one of the style sheet.
 */
export function startPicture(canvas: HTMLCanvasElement, width: number, range: TimeRange): Picture | null {
  const context = canvas.getContext('2d')
  const style = getComputedStyle(canvas)
  const height = Number.parseFloat(style.getPropertyValue('--picture-height'))
  if (!context || width === 0) return null
  const scale = devicePixelRatio || 1
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale)
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, width, height)
  const known = new Map<string, string>()
  const colour = (property: string): string => {
    const found = known.get(property) ?? style.getPropertyValue(property).trim()
    known.set(property, found)
    return found
  }
  return { context, width, height, colour, x: (at) => ((at - range.from) / (range.to - range.from)) * width }
}

/** Slanted lines between two places. */
export function hatch({ context, width, height, colour }: Picture, from: number, to: number, property: string): void {
  const left = Math.max(0, from)
  const right = Math.min(width, to)
  if (right <= left) return
  context.save()
  context.beginPath()
  context.rect(left, 6, right - left, height - 12)
  context.clip()
  context.globalAlpha = 0.16
  context.fillStyle = colour(property)
  context.fillRect(left, 6, right - left, height - 12)
  context.globalAlpha = 0.45
  context.strokeStyle = colour(property)
  context.beginPath()
  for (let at = left - height; at < right; at += 8) {
    context.moveTo(at, height)
    context.lineTo(at + height, 0)
  }
  context.stroke()
  context.restore()
}
