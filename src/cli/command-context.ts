// Everything a command touches of the outside: streams, environment, time, and the product itself. Commands get it
// handed in, so that they run the same in a test and in main.ts, the only file that knows the process.
import type { Readable } from 'node:stream'
import type { Config } from '../ports/config.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface World {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly pid: number
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Screen
  readonly stderr: Screen
  now(): number
  /** Aborted when the process is asked to end. */
  readonly ending: AbortSignal
  openApp(request: OpenRequest): Promise<OpenedApp>
}

export interface OpenRequest {
  readonly config: Config
  readonly log: Log
  /** Opens every door of the API for as long as this process lives. */
  readonly runToken: string
  /** Other commands may work on the same SQLite file meanwhile. */
  readonly sharesFile?: boolean
}

/** The product in this process: store, engine and API. */
export interface OpenedApp {
  readonly store: Store
  /** Secrets that the master key did not open at the start, and what to do; null when all is well. */
  readonly unreadable: { readonly found: string; readonly remedy: string } | null
  inject(request: InjectedRequest): Promise<InjectedReply>
  listen(): Promise<{ readonly url: string }>
  /** Starts the scheduler, and sends messages to webhooks. */
  start(): Promise<void>
  /** Starts the scheduler alone. */
  startPolling(): Promise<void>
  /** A configured key is followed by the one that is read, a key file by a fresh one. */
  rotateMasterKey(readNewKey: () => Promise<Buffer>): Promise<RotatedKey | 'no-key'>
  /** Ends requests and polls within the deadline, then everything else. */
  close(deadlineMs: number): Promise<void>
}

export interface RotatedKey {
  readonly resealed: number
  /** Left as they are: neither key opens them. */
  readonly unreadable: readonly unknown[]
}

export interface InjectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload?: string | Buffer
}

export interface InjectedReply {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}
