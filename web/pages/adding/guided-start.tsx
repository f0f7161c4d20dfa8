// What an empty store shows: three ways to have something to read within seconds.
import { useState } from 'preact/hooks'
import type { SourceView } from '../../api/types.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { goTo } from '../../frame/router.ts'
import { ActionButton, tellProblem } from '../../parts/action.tsx'
import { addSource } from './add-source.ts'
import { ImportButton } from './import.tsx'

const EXAMPLES = [
  { url: 'https://www.nasa.gov/feed/', title: 'NASA' },
  { url: 'https://blog.cloudflare.com/rss/', title: 'The Cloudflare Blog' },
  { url: 'https://feeds.bbci.co.uk/news/world/rss.xml', title: 'BBC News: World' },
]

interface Props {
  readonly podcast: Podcast
  onAdded(sources: readonly SourceView[]): void
}

export function GuidedStart({ podcast, onAdded }: Props) {
  const [address, setAddress] = useState('')
  const tryExamples = async () => {
    const added: SourceView[] = []
    for (const example of EXAMPLES) {
      try {
        added.push(await addSource(podcast.path, { ...example, type: 'rss', backfillDays: 7 }))
        onAdded(added)
      } catch (error) {
        tellProblem(error)
      }
    }
  }
  return (
    <section class="card start" aria-labelledby="start">
      <h2 id="start">Give Tidings something to read</h2>
      <p>Three ways to begin. Whatever you add is polled at once.</p>
      <div class="ways">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            goTo(`/sources?${new URLSearchParams({ add: address.trim() || '1' })}`)
          }}
        >
          <h3>Paste an address</h3>
          <p>A site, a feed, a YouTube channel. Its feeds are found for you.</p>
          <input
            aria-label="Site or feed"
            placeholder="https://example.org"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
          <button type="submit">Look</button>
        </form>
        <div>
          <h3>Bring your feeds</h3>
          <p>Drop an OPML file from another reader onto the list of sources, or choose it here.</p>
          <ImportButton podcast={podcast} name="Choose a file" onImported={() => goTo('/sources')} />
        </div>
        <div>
          <h3>Look around first</h3>
          <p>Try it with {EXAMPLES.map(({ title }) => title).join(', ')}.</p>
          <ActionButton work={tryExamples}>Try three example feeds</ActionButton>
        </div>
      </div>
    </section>
  )
}
