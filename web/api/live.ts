// Live events of the server. EventSource cannot send a token, so the stream is read with fetch. A broken connection is
// opened again where it ended. A hidden tab gives its connection up: browsers open only six to one server, for all tabs.
import { createState } from '../parts/state.ts'
import { authorization } from './call.ts'
import type { LiveEvent } from './types.ts'

type Listener = (event: LiveEvent) => void

const listeners = new Set<Listener>()
export const isLive = createState(false)
let running: AbortController | null = null

export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Told when the stream is back after it broke: whatever is on the page may be old. */
export function onLiveAgain(listener: () => void): () => void {
  let isBroken = false
  return isLive.subscribe(() => {
    const isBack = isBroken && isLive.get()
    isBroken = !isLive.get()
    if (isBack) listener()
  })
}

let isWanted = false
/** The position of the last event, where the next connection goes on. */
let last = ''

export function startLive(): void {
  isWanted = true
  if (running || document.hidden) return
  running = new AbortController()
  void listen(running.signal)
}

export function stopLive(): void {
  isWanted = false
  hangUp()
}

function hangUp(): void {
  running?.abort()
  running = null
  isLive.set(false)
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) hangUp()
  else if (isWanted) startLive()
})

async function listen(signal: AbortSignal): Promise<void> {
  let waitMs = 1000
  while (!signal.aborted) {
    try {
      const response = await fetch('/api/events', {
        headers: { ...authorization(), ...(last === '' ? {} : { 'last-event-id': last }) },
        signal,
      })
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`)
      isLive.set(true)
      waitMs = 1000
      for await (const event of framesOf(response.body)) {
        last = event.id
        for (const listener of [...listeners]) listener(event)
      }
    } catch {
      // Whatever ended the stream, the next attempt tells whether it is over.
    }
    if (signal.aborted) return
    isLive.set(false)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, 30_000)
  }
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const event = eventOf(frame)
      if (event) yield event
    }
  }
}

function eventOf(frame: string): LiveEvent | null {
  const fieldOf = (name: string) => {
    const lines = frame.split('\n').filter((line) => line.startsWith(`${name}:`))
    return lines.map((line) => line.slice(name.length + 1).trim()).join('\n')
  }
  const [id, data] = [fieldOf('id'), fieldOf('data')]
  // Notices about the stream itself have no position.
  return id === '' || data === '' ? null : { ...JSON.parse(data), id }
}
