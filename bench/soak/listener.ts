// A client of GET /api/events that keeps count of what it hears.
import { type ClientRequest, get, type IncomingMessage } from 'node:http'

/** The server is gone. */
const MOST_REFUSALS = 3

export class Listener {
  readonly #url: string
  readonly #after: string | null
  #reads: boolean
  #request: ClientRequest | null = null
  #response: IncomingMessage | null = null
  #rest = ''
  #isClosed = false
  #refusals = 0
  #onChange = (): void => {}
  heard = 0
  lastId = 0
  /** The server closed the connection, or something else did. */
  isEnded = false
  error: string | null = null
  /** Events that came twice, or out of order, or did not come. */
  readonly broken: string[] = []

  constructor(url: string, { after, reads }: { readonly after: string | null; readonly reads: boolean }) {
    this.#url = url
    this.#after = after
    this.#reads = reads
  }

  /** Resolves when the server has answered. */
  connect(): Promise<void> {
    const after = this.lastId > 0 ? String(this.lastId) : this.#after
    const headers = after === null ? {} : { 'last-event-id': after }
    this.#rest = ''
    this.isEnded = false
    return new Promise((resolve) => {
      const end = (error: string): void => {
        // One that was given up says nothing of the connection after it.
        if (this.#request !== request || this.isEnded) return
        this.isEnded = true
        if (this.#reads && !this.#isClosed) this.error ??= error
        this.#onChange()
        resolve()
      }
      const request = get(`${this.#url}/api/events`, { headers, agent: false }, (response) => {
        this.#response = response.setEncoding('utf8')
        if (response.statusCode !== 200) end(`a listener got ${response.statusCode}`)
        response.once('close', () => end('a listener that reads was cut off'))
        if (this.#reads) this.#listen()
        else response.pause()
        resolve()
      })
      request.once('error', (error) => {
        this.#refusals++
        end(`a listener got ${error.message}`)
      })
      this.#request = request
    })
  }

  /** For one that has read nothing so far: reads until `newest`. True: the server had ended the connection meanwhile. */
  async readOn(newest: number): Promise<boolean> {
    let hadEnded = false
    if (!this.isEnded) this.#listen()
    while (this.lastId < newest && this.#refusals < MOST_REFUSALS) {
      if (this.isEnded) {
        hadEnded = true
        await this.connect()
        this.#listen()
      }
      await new Promise<void>((resolve) => {
        this.#onChange = resolve
        if (this.isEnded || this.lastId >= newest) resolve()
      })
    }
    return hadEnded
  }

  /** What has arrived and was not read is lost with the connection. */
  hangUp(): void {
    this.#request?.destroy()
    this.isEnded = true
  }

  close(): void {
    this.#isClosed = true
    this.#request?.destroy()
    this.#onChange()
  }

  #listen(): void {
    this.#response?.on('data', (text: string) => this.#take(text)).resume()
  }

  #take(text: string): void {
    const frames = (this.#rest + text).split('\n\n')
    this.#rest = frames.pop() ?? ''
    for (const frame of frames) {
      const id = Number(/^id: (\d+)$/m.exec(frame)?.[1] ?? 0)
      if (/^event: gap$/m.test(frame)) this.broken.push(`a gap after ${this.lastId}`)
      if (id === 0) continue
      const before = this.lastId || Number(this.#after ?? id - 1)
      if (id !== before + 1) this.broken.push(`${id} came after ${before}`)
      this.lastId = id
      this.heard++
    }
    this.#onChange()
  }
}
