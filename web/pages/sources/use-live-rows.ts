// Keeps the rows true: a row is read again when its source was polled or changed, and a source that somebody else added
// appears. Where thousands are polled a minute, only some rows are read again at a time.
import { useEffect, useRef } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { onEvent } from '../../api/live.ts'
import type { SourceView } from '../../api/types.ts'
import type { Pages } from '../../parts/use-pages.ts'

const GATHER_MS = 600
const AT_MOST = 20

export function useLiveRows(path: string, pages: Pages<SourceView>): void {
  const latest = useRef(pages)
  latest.current = pages
  useEffect(() => {
    const changed = new Set<string>()
    const created = new Set<string>()
    let timer = 0
    let isOver = false
    const stop = onEvent(({ type, sourceId }) => {
      if (!sourceId || !/^(poll\.finished|source\.)/.test(type)) return
      if (type === 'source.created') created.add(sourceId)
      else if (changed.size < AT_MOST && latest.current.items.some(({ id }) => id === sourceId)) changed.add(sourceId)
      timer ||= setTimeout(read, GATHER_MS)
    })
    const read = async () => {
      timer = 0
      const ids = idsToRead(latest.current.items, changed, created)
      const isNew = new Set(created)
      changed.clear()
      created.clear()
      const timesRead = latest.current.timesRead()
      const fresh = await Promise.all(ids.map((id) => readSource(path, id)))
      if (timesRead !== latest.current.timesRead()) {
        // The list was read meanwhile, before or after these rows. So they are read once more.
        for (const id of ids) (isNew.has(id) ? created : changed).add(id)
        if (!isOver) timer ||= setTimeout(read, GATHER_MS)
        return
      }
      latest.current.change((items) =>
        merged(
          items,
          fresh.filter((source) => source !== null),
          isNew,
        ),
      )
    }
    return () => {
      isOver = true
      stop()
      clearTimeout(timer)
    }
  }, [path])
}

/** Rows that were removed since their event are not read: their source may be gone. */
function idsToRead(
  items: readonly SourceView[],
  changed: ReadonlySet<string>,
  created: ReadonlySet<string>,
): readonly string[] {
  const shown = new Set(items.map(({ id }) => id))
  return [...new Set([...changed].filter((id) => shown.has(id)).concat([...created].slice(0, AT_MOST)))]
}

/** null: it belongs to another podcast, or is gone. */
async function readSource(path: string, id: string): Promise<SourceView | null> {
  return call<SourceView>('GET', `${path}/${encodeURIComponent(id)}`).catch(() => null)
}

function merged(
  items: readonly SourceView[],
  fresh: readonly SourceView[],
  isNew: ReadonlySet<string>,
): readonly SourceView[] {
  const byId = new Map(fresh.map((source) => [source.id, source]))
  const known = new Set(items.map(({ id }) => id))
  const added = fresh.filter(({ id }) => isNew.has(id) && !known.has(id))
  const kept = items.map((old) => {
    const now = byId.get(old.id)
    // A source has no title before its first poll; the one that the preview told is better than none.
    return now ? { ...now, title: now.title ?? old.title ?? null } : old
  })
  return [...added, ...kept]
}
