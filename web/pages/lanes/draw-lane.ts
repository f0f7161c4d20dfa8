// Draws one lane. Left of now are the requests that were made, each followed by the pause that politeness asks for; right
// of now are the planned ones. A time in which the host is left alone is hatched.
import { isLeftAlone, type Lane, plannedTimes, timeRange, type Visit } from './lane.ts'
import { hatch, type Picture, startPicture } from './picture.ts'
import { ticksOf } from './time-ticks.ts'

const BAR = 24
const NARROWEST = 4

const COLOURS: Readonly<Record<Visit['kind'], string>> = {
  new: '--accent',
  success: '--accent-soft',
  transient: '--warn',
  permanent: '--bad',
}

export function drawLane(canvas: HTMLCanvasElement, width: number, lane: Lane, now: number, spanMs: number): void {
  const range = timeRange(now, spanMs)
  const picture = startPicture(canvas, width, range)
  if (!picture) return
  drawFuture(picture, now)
  drawTrack(picture, ticksOf(range, picture.width))
  drawLeftAlone(picture, lane, now)
  const pauseMs = lane.host.delaySeconds * 1000
  const visits = lane.visits.filter(({ to }) => to + pauseMs >= range.from)
  drawPauses(picture, visits, pauseMs)
  for (const visit of visits) drawVisit(picture, visit)
  for (const { poll, at } of plannedTimes(lane, now)) drawPlanned(picture, at, poll.at < now)
  drawNow(picture, now)
}

/** What is to come stands on another ground than what was. */
function drawFuture({ context, width, height, colour, x }: Picture, now: number): void {
  context.fillStyle = colour('--blue')
  context.globalAlpha = 0.05
  context.fillRect(x(now), 0, width - x(now), height)
  context.globalAlpha = 1
}

/** The line that the host moves along, and the round times behind it. */
function drawTrack({ context, width, height, colour, x }: Picture, ticks: readonly number[]): void {
  context.fillStyle = colour('--line')
  context.globalAlpha = 0.6
  for (const at of ticks) context.fillRect(Math.round(x(at)), 0, 1, height)
  context.globalAlpha = 1
  context.fillRect(0, Math.round(height / 2), width, 1)
}

/** The breaker's or the host's own time-out, with its reason where it fits. */
function drawLeftAlone(picture: Picture, { host }: Lane, now: number): void {
  if (!isLeftAlone(host, now)) return
  const { context, height, colour, x } = picture
  const isOpen = host.breaker.state !== 'closed'
  const until = isOpen ? host.breaker.probeAt : host.notBefore
  const since = isOpen ? host.breaker.since : host.lastRequestAt
  const left = x(since ? Date.parse(since) : now)
  const right = until ? x(Date.parse(until)) : picture.width
  hatch(picture, left, right, isOpen ? '--bad' : '--warn')
  const words = isOpen ? 'breaker open' : (host.notBeforeReason ?? 'asked to wait')
  const from = Math.max(left, x(now)) + 6
  context.font = '11px system-ui, sans-serif'
  if (right - from < context.measureText(words).width + 8) return
  context.fillStyle = colour('--text')
  context.fillText(words, from, height / 2 + 4)
}

/** Before the next visit the lane waits; the delay counts from the end of the last one. */
function drawPauses({ context, height, colour, x }: Picture, visits: readonly Visit[], pauseMs: number): void {
  if (pauseMs === 0) return
  context.fillStyle = colour('--pause')
  for (const { to } of visits) {
    const left = x(to)
    context.fillRect(left, height / 2 - 3, Math.max(1, x(to + pauseMs) - left), 7)
  }
}

function drawVisit({ context, width, height, colour, x }: Picture, { from, to, kind }: Visit): void {
  const left = x(from)
  const barWidth = Math.max(NARROWEST, x(to) - left)
  if (left > width || left + barWidth < 0) return
  context.fillStyle = colour(COLOURS[kind])
  const tall = kind === 'success' ? BAR - 8 : BAR
  context.beginPath()
  context.roundRect(left, (height - tall) / 2, barWidth, tall, 1.5)
  context.fill()
}

function drawPlanned({ context, width, height, colour, x }: Picture, at: number, isOverdue: boolean): void {
  const middle = x(at)
  if (middle > width) return
  context.strokeStyle = colour(isOverdue ? '--warn' : '--blue')
  context.lineWidth = 1.5
  context.beginPath()
  context.arc(middle, height / 2 + 0.5, 4, 0, Math.PI * 2)
  context.fillStyle = colour('--card')
  context.fill()
  context.stroke()
}

function drawNow({ context, height, colour, x }: Picture, now: number): void {
  context.fillStyle = colour('--text')
  context.globalAlpha = 0.55
  context.fillRect(Math.round(x(now)), 0, 1, height)
  context.globalAlpha = 1
}
