// The `Documents` port: runs the readers in worker threads and reports every failure as a Failure.
import type { Failure, FailureCode } from '../domain/outcome.ts'
import type { DocumentResult, Documents } from '../ports/documents.ts'
import type { ContentTask, DocumentTask, DocumentTaskName, FeedTask, ListTask } from './document-tasks.ts'
import { createWorkerPool, type WorkerPoolOptions } from './pool.ts'
import type { WorkerResult } from './worker-result.ts'

/** The error codes of the readers. Any other error is a bug in a reader. */
const BY_CODE: Readonly<Record<string, FailureCode>> = {
  empty: 'body-empty',
  'not-a-feed': 'not-a-feed',
  'too-deep': 'too-deep',
  'not-a-page': 'no-text',
  'needs-script': 'no-text',
  'bot-challenge': 'no-text',
  'no-text': 'no-text',
}

export function createDocuments(options: WorkerPoolOptions = {}): Documents {
  const pool = createWorkerPool(options)
  const run = async <T>(
    name: DocumentTaskName,
    task: DocumentTask | FeedTask | ContentTask | ListTask,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<DocumentResult<T>> => {
    const result = await pool.run<T>(name, task, moved)
    return result.ok ? result : { ok: false, failure: failureOf(result) }
  }
  return {
    readList: (list, mostRows) => run('list', { ...list, mostRows }),
    readFeed: (bytes, { isLastUse, ...hint }) => run('feed', { bytes, ...hint }, isLastUse ? movable(bytes) : []),
    readPage: (bytes, hint) => run('page', { bytes, ...hint }),
    findFeeds: (bytes, hint) => run('find-feeds', { bytes, ...hint }),
    findYoutubeFeed: (bytes, hint) => run('find-youtube-feed', { bytes, ...hint }),
    cleanHtml: (contents) => run('clean-html', { contents }),
    readRobots: (text, url) => run('robots', { robots: text, url }),
    readTranscript: (bytes, hint) => run('transcript', { bytes, ...hint }),
    toMarkdown: (html) => run('markdown', { html }),
    close: () => pool.close(),
  }
}

/** Only a buffer that holds nothing else can be moved. */
function movable({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0 ? [buffer] : []
}

function failureOf({ why, code, message }: Extract<WorkerResult<unknown>, { ok: false }>): Failure {
  switch (why) {
    case 'timeout':
      return { code: 'reader-timeout', httpStatus: null, reason: message }
    case 'crashed':
      return { code: 'reader-crashed', httpStatus: null, reason: message }
    case 'error': {
      const known = code === null ? undefined : BY_CODE[code]
      const reason = known ? upperFirst(message) : `The reader failed: ${message}`
      return { code: known ?? 'unexpected', httpStatus: null, reason }
    }
  }
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
