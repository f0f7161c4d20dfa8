// The readers of documents without their worker threads. A reader may be made to hang or die, as the pool reports it.
import type { Failure } from '../../src/domain/outcome.ts'
import type { DocumentResult, Documents } from '../../src/ports/documents.ts'
import { DOCUMENT_TASKS } from '../../src/workers/document-tasks.ts'

type Tasks = typeof DOCUMENT_TASKS

export function inProcessDocuments(failure: () => Failure | null): Documents {
  const run = async <T>(work: () => T | Promise<T>): Promise<DocumentResult<Awaited<T>>> => {
    const broken = failure()
    if (broken) return { ok: false, failure: broken }
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { ok: false, failure: { code: 'not-a-feed', httpStatus: null, reason } }
    }
  }
  const tasks: Tasks = DOCUMENT_TASKS
  return {
    readList: (list, mostRows) => run(() => tasks.list({ ...list, mostRows })),
    readFeed: (bytes, hint) => run(() => tasks.feed({ bytes, ...hint })),
    readPage: (bytes, hint) => run(() => tasks.page({ bytes, ...hint })),
    findFeeds: (bytes, hint) => run(() => tasks['find-feeds']({ bytes, ...hint })),
    findYoutubeFeed: (bytes, hint) => run(() => tasks['find-youtube-feed']({ bytes, ...hint })),
    cleanHtml: (contents) => run(() => tasks['clean-html']({ contents })),
    readRobots: (text, url) => run(() => tasks.robots({ robots: text, url })),
    readTranscript: (bytes, hint) => run(() => tasks.transcript({ bytes, ...hint })),
    toMarkdown: (html) => run(() => tasks.markdown({ html })),
    close: async () => {},
  }
}

/** Loads what the tasks load on first use: a run does not wait for the disk. */
export async function loadReaders(): Promise<void> {
  const bytes = Buffer.from('<html><body><article><p>text</p></article></body></html>')
  await Promise.allSettled([
    DOCUMENT_TASKS.page({ bytes, contentType: 'text/html', url: 'https://h0.test/' }),
    DOCUMENT_TASKS['clean-html']({ contents: [{ html: '<p>text</p>', base: 'https://h0.test/' }] }),
    DOCUMENT_TASKS.robots({ robots: '', url: 'https://h0.test/' }),
    DOCUMENT_TASKS.markdown({ html: ['<p>text</p>'] }),
  ])
}
