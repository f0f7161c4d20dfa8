// Adding a source: an address, the feeds found behind it, what they hold, and how far back to read.
import { useEffect, useRef, useState } from 'preact/hooks'
import { typedAddress } from '../../../src/domain/typed-address.ts'
import { call } from '../../api/call.ts'
import type { PreviewView, SourceView } from '../../api/types.ts'
import { asProblem } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { usePlaceOnPage } from '../../frame/router.ts'
import { messageOf } from '../../parts/action.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { addSource } from './add-source.ts'
import { FeedChoice, optionsOf } from './feed-choice.tsx'
import { PreviewPosts } from './preview-posts.tsx'

interface Props {
  readonly podcast: Podcast
  onAdded(sources: readonly SourceView[]): void
  onClose(): void
}

const BACKFILL_DAYS = 7

export function AddDialog({ podcast, onAdded, onClose }: Props) {
  const given = usePlaceOnPage().query.get('add')
  const [address, setAddress] = useState(given && given !== '1' ? given : '')
  const [days, setDays] = useState(BACKFILL_DAYS)
  const [found, setFound] = useState<PreviewView | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState<'find' | 'add' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef('')
  latest.current = address.trim()

  async function attempt(what: 'find' | 'add', work: () => Promise<void>): Promise<void> {
    if (busy) return
    const asked = latest.current
    setBusy(what)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (asked === latest.current) setProblem(messageOf(asProblem(error)))
    }
    setBusy(null)
  }

  const find = () =>
    attempt('find', async () => {
      setFound(null)
      const asked = latest.current
      const preview = await call<PreviewView>('POST', '/preview', { url: typedAddress(asked), backfillDays: days })
      // Somebody may have typed another address meanwhile.
      if (asked !== latest.current) return
      setFound(preview)
      setChosen(
        new Set(
          optionsOf(preview)
            .slice(0, 1)
            .map(({ url }) => url),
        ),
      )
    })

  const add = () =>
    attempt('add', async () => {
      const wanted = found
        ? optionsOf(found).filter(({ url }) => chosen.has(url))
        : [{ url: typedAddress(latest.current) }]
      // Each is shown and chosen no more as soon as it is there, so that another attempt does not add it again.
      for (const option of wanted) {
        onAdded([await addSource(podcast.path, { ...option, backfillDays: days })])
        setChosen((before) => new Set([...before].filter((url) => url !== option.url)))
      }
      onClose()
    })

  useEffect(() => {
    // Whoever comes with an address wants to know what is behind it.
    if (latest.current !== '') void find()
  }, [])

  return (
    <Dialog title="New source" onClose={onClose}>
      <form
        class="adding"
        onSubmit={(event) => {
          event.preventDefault()
          void (found ? add() : find())
        }}
      >
        <AddressField
          address={address}
          onChange={(text) => {
            setAddress(text)
            setFound(null)
            setProblem(null)
          }}
        />
        <button type="button" aria-busy={busy === 'find'} disabled={address.trim() === ''} onClick={() => void find()}>
          Find feeds
        </button>
        {busy === 'find' && <p class="loading">Looking for feeds</p>}
        {problem && (
          <p class="error" role="alert">
            {problem}
          </p>
        )}
        {found && <FeedChoice found={found} chosen={chosen} onChoose={setChosen} />}
        {found && <PreviewPosts found={found} />}
        <label class="inline">
          Backfill (days)
          <input
            type="number"
            min={0}
            max={365}
            value={days}
            onInput={(event) => setDays(Number(event.currentTarget.value))}
          />
        </label>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            class="primary"
            aria-busy={busy === 'add'}
            disabled={address.trim() === '' || (found !== null && chosen.size === 0)}
            onClick={() => void add()}
          >
            Add
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function AddressField({ address, onChange }: { readonly address: string; onChange(text: string): void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <label>
      Address
      <input
        ref={field}
        name="url"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        placeholder="https://example.org, a feed, a YouTube channel or @name"
        value={address}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
