// The podcast of a source. Another one takes the source with its posts and articles.
import { podcasts } from '../../frame/podcasts.ts'
import { useValue } from '../../parts/state.ts'

interface Props {
  readonly value: string
  onChange(podcastId: string): void
}

export function PodcastField({ value, onChange }: Props) {
  const known = useValue(podcasts) ?? []
  if (known.length < 2) return null
  return (
    <div class="setting">
      <label for="setting-podcast" class="name">
        Podcast
      </label>
      <select id="setting-podcast" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {known.map(({ id, title }) => (
          <option key={id} value={id} dir="auto">
            {title}
          </option>
        ))}
      </select>
      <span class="hint">Another podcast takes the source with its posts and articles.</span>
    </div>
  )
}
