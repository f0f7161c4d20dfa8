// A link to a source names no podcast, and the chosen one may be another. The source says where it belongs.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { SourceView } from '../../api/types.ts'
import { type Podcast, podcasts } from '../../frame/podcasts.ts'

export function usePodcastOf(chosen: Podcast, sourceId: string | null): Podcast {
  const [home, setHome] = useState(chosen)
  useEffect(() => {
    // With one podcast there is nowhere else to look.
    if (sourceId === null || (podcasts.get() ?? []).length < 2) return
    let isGone = false
    void findPodcast(sourceId).then((found) => {
      if (!isGone && found) setHome(found)
    })
    return () => {
      isGone = true
    }
  }, [sourceId])
  return home
}

async function findPodcast(sourceId: string): Promise<Podcast | null> {
  try {
    const { podcastId } = await call<SourceView>('GET', `/sources/${encodeURIComponent(sourceId)}`)
    return podcasts.get()?.find(({ id }) => id === podcastId) ?? null
  } catch {
    // The page itself tells that there is no such source.
    return null
  }
}
