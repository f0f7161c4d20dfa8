// A link to a source names no podcast, and the chosen one may be another. The source says where it belongs.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { SourceView } from '../../api/types.ts'
import { type Podcast, podcasts } from '../../frame/podcasts.ts'

/** `lookAgain` resolves to whether the source belongs elsewhere by now. */
export function usePodcastOf(
  chosen: Podcast,
  sourceId: string | null,
): { readonly home: Podcast; lookAgain(): Promise<boolean> } {
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
  const lookAgain = async () => {
    const found = sourceId === null ? null : await findPodcast(sourceId)
    if (!found || found.path === home.path) return false
    setHome(found)
    return true
  }
  return { home, lookAgain }
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
