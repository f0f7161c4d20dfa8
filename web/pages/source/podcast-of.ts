// A link to a source or post names no podcast. When the chosen podcast does not have it, the others are asked.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { type Podcast, podcasts } from '../../frame/podcasts.ts'

export function usePodcastOf(chosen: Podcast, id: string, kind: 'sources' | 'posts' = 'sources'): Podcast {
  const [home, setHome] = useState(chosen)
  useEffect(() => {
    let isGone = false
    void findPodcast(chosen, `${kind}/${encodeURIComponent(id)}`).then((found) => {
      if (!isGone && found) setHome(found)
    })
    return () => {
      isGone = true
    }
  }, [chosen, id, kind])
  return home
}

async function findPodcast(chosen: Podcast, place: string): Promise<Podcast | null> {
  const others = (podcasts.get() ?? []).filter(({ path }) => path !== chosen.path)
  // With one podcast there is nowhere else to look.
  if (others.length === 0) return chosen
  for (const podcast of [chosen, ...others]) {
    const isThere = await call('GET', `${podcast.path}/${place}`).then(
      () => true,
      () => false,
    )
    if (isThere) return podcast
  }
  return null
}
