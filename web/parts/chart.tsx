// A chart over time, drawn by uPlot in the colours of the page.
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

export interface Series {
  readonly name: string
  /** A custom property of the style sheet. */
  readonly colour: string
  readonly values: readonly (number | null)[]
  readonly kind: 'bars' | 'line' | 'area'
  /** `right`: has a scale of its own. */
  readonly axis?: 'right'
  readonly format?: (value: number) => string
}

interface Props {
  /** What the picture shows, for those who do not see it. */
  readonly label: string
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly height?: number
}

export function Chart({ label, times, series, height = 200 }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element || times.length === 0) return
    const plot = new uPlot(optionsOf(element, series, height), dataOf(times, series), element)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => plot.redraw(false)
    scheme.addEventListener('change', redraw)
    return () => {
      resize.disconnect()
      scheme.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [times, series, height])
  return <div ref={place} class="chart" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
}

function dataOf(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])]
}

function optionsOf(element: HTMLElement, series: readonly Series[], height: number): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(name).trim()
  const bars = uPlot.paths.bars?.({ size: [0.75, 28], radius: 0.2 })
  // An axis has the colour of what it measures.
  const axis = (scale: string, right: boolean, of?: Series): uPlot.Axis => ({
    ...{ scale, size: right ? 56 : 44, stroke: colour(of?.colour ?? '--soft'), font: '12px system-ui' },
    ...(right ? { side: 1 as const } : {}),
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1, show: !right },
    values: (_plot, values) => values.map((value) => of?.format?.(value) ?? value.toLocaleString('en')),
  })
  const right = series.find((one) => one.axis === 'right')
  const left = series.find((one) => one.axis !== 'right')
  const fromZero = (_plot: uPlot, _min: number, max: number): [number, number] => [0, Math.max(4, max * 1.1)]
  return {
    ...{ width: element.clientWidth, height, legend: { live: true }, cursor: { points: { size: 6 } } },
    padding: [8, null, 0, null],
    scales: { x: { range: withRoomForBars }, y: { range: fromZero }, right: { range: fromZero } },
    axes: [
      {
        ...{
          stroke: colour('--soft'),
          font: '12px system-ui',
          ticks: { show: false },
          grid: { show: false },
          space: 84,
          size: 28,
        },
        values: (_plot, times) => times.map(timeLabel),
      },
      axis('y', false, left),
      ...(right ? [axis('right', true, right)] : []),
    ],
    series: [
      {},
      ...series.map(
        (one): uPlot.Series => ({
          ...{ label: one.name, stroke: colour(one.colour), width: one.kind === 'bars' ? 0 : 1.5 },
          ...(one.kind === 'area' ? { fill: faint(colour(one.colour)) } : {}),
          ...(one.kind === 'bars' && bars ? { paths: bars, fill: colour(one.colour) } : {}),
          ...{ points: { show: false }, spanGaps: true, scale: one.axis ?? 'y' },
          value: (_plot, value) => (value === null ? '–' : (one.format?.(value) ?? value.toLocaleString('en'))),
        }),
      ),
    ],
  }
}

/** Half of a bar stands before its time, and half after it. */
function withRoomForBars(plot: uPlot, min: number, max: number): [number, number] {
  const half = (max - min) / Math.max(2, 2 * ((plot.data[0]?.length ?? 2) - 1))
  return [min - half, max + half]
}

function faint(colour: () => string): () => string {
  return () => `color-mix(in srgb, ${colour()} 12%, transparent)`
}

/** Midnights are named by their day. */
function timeLabel(seconds: number): string {
  const at = new Date(seconds * 1000)
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0
  if (isMidnight) return at.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric' })
  return at.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
}
