// What a host may expect of us, checked when a request reaches it: one at a time, the spacing after the one before, and
// nothing while it asked to be left alone. Instants are those of our clock, because that is the one the rules are about;
// when it jumps, the spacing in progress cannot be judged, and is not.
import { MINUTE_MS } from '../../src/domain/schedule.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface Asking {
  readonly host: string
  /** What is asked for. After robots.txt a page follows in the same visit. */
  readonly kind: 'feed' | 'page' | 'robots'
  readonly path: string
  /** The least that the rules give the host after it. */
  readonly delayMs: () => number
}

interface Sent {
  readonly asking: Asking
  readonly startedAt: number
  /** What its spacing counts from; null while it is under way. */
  countsFrom: number | null
  /** The least delay that held since it started. */
  owedMs: number
  /** How often our clock had jumped when it started, and at the instant that its spacing counts from. */
  readonly jumpsAtStart: number
  jumps: number
}

interface Closed {
  readonly until: number
  readonly since: number
}

export class Manners {
  readonly #time: VirtualTime
  readonly #report: (violation: string) => void
  readonly #note: (request: string) => void
  readonly #last = new Map<string, Sent>()
  readonly #closed = new Map<string, Closed>()
  requests = 0

  constructor(time: VirtualTime, report: (violation: string) => void, note: (text: string) => void) {
    this.#time = time
    this.#report = report
    this.#note = note
  }

  /** Returns how to say that it is over. */
  begin(asking: Asking): () => void {
    this.requests++
    const { host, path } = asking
    const now = this.#time.now()
    const before = this.#last.get(host)
    const what = `${host}${path} at ${new Date(now).toISOString()}`
    this.#note(what)
    if (before?.countsFrom === null) this.#report(`two at a time: ${what} while ${before.asking.path}`)
    const earlyMs = before ? this.#tooEarlyMs(before, asking, now) : 0
    if (before && earlyMs > 0) this.#report(`spacing: ${what} is ${earlyMs} ms too early after ${before.asking.path}`)
    const closed = this.#closed.get(host)
    if (closed && now < closed.until) {
      this.#report(`closed: ${what}, although it asked to be left alone until ${new Date(closed.until).toISOString()}`)
    }
    const { jumps } = this.#time
    const sent: Sent = {
      ...{ asking, startedAt: now, countsFrom: null, owedMs: asking.delayMs(), jumps, jumpsAtStart: jumps },
    }
    this.#last.set(host, sent)
    return () => {
      sent.countsFrom = this.#time.now()
      sent.owedMs = Math.min(sent.owedMs, asking.delayMs())
      sent.jumps = this.#time.jumps
    }
  }

  #tooEarlyMs({ asking: before, countsFrom, owedMs, jumps }: Sent, { kind }: Asking, now: number): number {
    const isSameVisit = before.kind === 'robots' && kind === 'page'
    if (countsFrom === null || isSameVisit || jumps !== this.#time.jumps) return 0
    return countsFrom + owedMs - now
  }

  /** It died with our process: only what was reserved before it started is left of its spacing. */
  cutShort(): void {
    for (const sent of this.#last.values()) countFromStart(sent)
  }

  /** A write failed, perhaps the one that says when a request was over: what was reserved before it is left. */
  endForgotten(): void {
    for (const sent of this.#last.values()) if (sent.countsFrom !== null) countFromStart(sent)
  }

  /** A person changed the delay of a source. */
  delayChanged(): void {
    for (const sent of this.#last.values()) sent.owedMs = Math.min(sent.owedMs, sent.asking.delayMs())
  }

  /** The host asked to be left alone for so long, and no longer than the cap counts. */
  close(host: string, seconds: number, capMs: number): void {
    const now = this.#time.now()
    const until = now + Math.min(seconds * 1000, capMs)
    if (until > (this.#closed.get(host)?.until ?? 0)) this.#closed.set(host, { until, since: now })
  }

  /** What hosts said in the last minutes may be lost with the process, or to a disk that is full. */
  forgetRecentWords(): void {
    for (const [host, { since }] of this.#closed) {
      if (this.#time.now() - since < 3 * MINUTE_MS) this.#closed.delete(host)
    }
  }

  /** Our clock was set back: until when hosts are left alone was said in another time. */
  forgetWords(): void {
    this.#closed.clear()
  }
}

function countFromStart(sent: Sent): void {
  sent.countsFrom = sent.startedAt
  sent.jumps = sent.jumpsAtStart
}
