// Everything outside a command that it may use: streams, environment, time, and the product itself. It is passed in, so
// that commands run the same in a test and in main.ts, which alone knows the process.
import type { Readable } from 'node:stream'
import type { Origins } from '../config.ts'
import type { Config } from '../ports/config.ts'
import type { GivenList, ListRead } from '../ports/documents.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Transfer, TransferOptions } from '../ports/store-transfer.ts'

export interface TextStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

export interface CommandContext {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly pid: number
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }
  readonly stdout: TextStream
  readonly stderr: TextStream
  now(): number
  /** Aborted when the process is asked to end. */
  readonly ending: AbortSignal
  openApp(request: OpenRequest): Promise<OpenedApp>
  /** Reads a list of sources into rows, as the server would. */
  readList(list: GivenList): Promise<ListRead>
  /** Copies a store to the other engine. */
  migrateStore(request: MigrateRequest): Promise<MigratedStore>
}

export interface MigrateRequest extends TransferOptions {
  readonly from: string
  readonly to: string
  readonly masterKey: string | null
  readonly log: Log
}

export type MigratedStore = Transfer & {
  readonly secrets: {
    readonly total: number
    /** Those that a master key on this machine opens: the configured one, or that in a file beside the SQLite database. */
    readonly readable: number
    readonly key: 'configured' | 'file' | null
  }
}

export interface OpenRequest {
  readonly config: Config
  readonly configOrigins?: Origins
  readonly log: Log
  /** An admin token that is valid for as long as this process runs. */
  readonly runToken: string
  /** The server that listens offers health, readiness and metrics only. */
  readonly probesOnly?: boolean
  /** Other commands may use the same SQLite file at the same time. */
  readonly sharesFile?: boolean
  /** Only the command itself asks the API: it is set up faster. */
  readonly isForCommand?: boolean
}

/** The product in this process: store, engine and API. */
export interface OpenedApp {
  readonly store: Store
  /** Secrets that the master key could not open at the start, and the remedy; null if there are none. */
  readonly unreadable: { readonly found: string; readonly remedy: string } | null
  inject(request: InjectedRequest): Promise<InjectedReply>
  listen(): Promise<{ readonly url: string }>
  /** Starts the scheduler and the sender of webhook messages. */
  start(): Promise<void>
  /** Starts the scheduler only. */
  startPolling(): Promise<void>
  /** A configured key is replaced by the one that is read, a key file by a generated one. */
  rotateMasterKey(readNewKey: () => Promise<Buffer>): Promise<RotatedKey | 'no-key'>
  /** Lets requests and polls finish until the deadline, then closes everything. */
  close(deadlineMs: number): Promise<void>
}

export interface RotatedKey {
  readonly resealed: number
  /** Secrets that neither key opens. They stay as they are. */
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
