// Media that came with a post. Nothing is loaded before somebody plays it.
import type { Enclosure } from '../../api/types.ts'
import { Outside } from '../../parts/small.tsx'
import { bytesWords } from '../../parts/time.tsx'

export function Enclosures({ enclosures }: { readonly enclosures: readonly Enclosure[] }) {
  if (enclosures.length === 0) return null
  return (
    <ul class="enclosures" aria-label="Media">
      {enclosures.map((enclosure) => (
        <li key={enclosure.url}>
          <Player {...enclosure} />
          <Outside url={enclosure.url}>{enclosure.url.split('/').at(-1)?.split('?')[0] || enclosure.url}</Outside>
          <span class="soft">
            {enclosure.type} {enclosure.length ? bytesWords(enclosure.length) : ''}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Player({ url, type }: Enclosure) {
  if (!/^https?:/i.test(url)) return null
  // Feeds bring no captions for their media.
  // biome-ignore lint/a11y/useMediaCaption: there is no caption file to offer
  if (type?.startsWith('audio/')) return <audio controls preload="none" src={url} />
  // biome-ignore lint/a11y/useMediaCaption: there is no caption file to offer
  if (type?.startsWith('video/')) return <video controls preload="none" src={url} />
  if (type?.startsWith('image/')) return <img src={url} alt="" loading="lazy" />
  return null
}
