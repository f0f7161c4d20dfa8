// Reads documents off the main thread. A new kind of document is one line in READERS.
// Also hashes: of the bytes, to know an unchanged document before reading it, and of every text that may become a post.
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { serveTasks, type Task } from './serve-tasks.ts'

const READERS = {
  feed: { module: '../sources/feed/read-feed', name: 'readFeed' },
  page: { module: '../sources/website/read-page', name: 'readPage' },
} as const

export interface DocumentPayload {
  readonly bytes: Uint8Array
  readonly contentType?: string | undefined
  readonly url: string
  /** sha256 of the bytes read last time: the same bytes are not read again. */
  readonly knownHash?: string | null | undefined
}

/** `contentHash` is added to the document's `text` or to the `body` of each of its `entries`. */
export type DocumentResult<T> =
  | { readonly kind: 'unchanged'; readonly bodyHash: string }
  | { readonly kind: 'read'; readonly bodyHash: string; readonly document: T }

type Reader = (bytes: Uint8Array, options: { contentType?: string; url: string }) => unknown

const EXTENSION = extname(import.meta.url)

function documentTask({ module, name }: { module: string; name: string }): Task {
  let loading: Promise<Reader> | null = null
  return async ({ bytes, contentType, url, knownHash }: DocumentPayload): Promise<DocumentResult<unknown>> => {
    const bodyHash = sha256(bytes)
    if (knownHash === bodyHash) return { kind: 'unchanged', bodyHash }
    loading ??= import(new URL(`${module}${EXTENSION}`, import.meta.url).href).then((loaded) => loaded[name])
    const read = await loading
    const document = await read(bytes, { url, ...(contentType !== undefined && { contentType }) })
    return { kind: 'read', bodyHash, document: withHashes(document) }
  }
}

function withHashes(document: unknown): unknown {
  const { entries, text } = document as { entries?: readonly { body: string }[]; text?: string }
  if (Array.isArray(entries))
    return { ...(document as object), entries: entries.map((entry) => ({ ...entry, contentHash: sha256(entry.body) })) }
  return typeof text === 'string' ? { ...(document as object), contentHash: sha256(text) } : document
}

function sha256(of: string | Uint8Array): string {
  return createHash('sha256').update(of).digest('hex')
}

serveTasks(Object.fromEntries(Object.entries(READERS).map(([task, reader]) => [task, documentTask(reader)])))
