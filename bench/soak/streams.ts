// Clients that listen to live events.
import { Agent, type ClientRequest, get } from 'node:http'

export interface Streams {
  readonly errors: readonly string[]
  /** How many events arrived, at all of them together. */
  events(): number
  close(): void
}

/** Resolves when all of them are connected. */
export async function openStreams(url: string, count: number): Promise<Streams> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const errors: string[] = []
  const requests: ClientRequest[] = []
  let events = 0
  let isClosing = false
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const fail = (error: string): void => {
        if (!isClosing) errors.push(`stream: ${error}`)
        resolve()
      }
      const request = get(`${url}/api/events`, { agent }, (response) => {
        if (response.statusCode !== 200) fail(String(response.statusCode))
        response.on('data', (chunk: Buffer) => {
          events += chunk.toString().split('\nevent:').length - 1 || 1
        })
        response.once('close', () => fail('closed'))
        resolve()
      })
      request.once('error', (error) => fail(error.message))
      requests.push(request)
    })
  for (let opened = 0; opened < count; opened += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, open))
  return {
    errors,
    events: () => events,
    close() {
      isClosing = true
      for (const request of requests) request.destroy()
      agent.destroy()
    },
  }
}
