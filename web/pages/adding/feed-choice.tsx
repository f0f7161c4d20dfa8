// The feeds that were found behind an address, to choose from.
import type { PreviewView } from '../../api/types.ts'

export interface FeedOption {
  readonly url: string
  readonly title: string
  /** Without it the server finds out. */
  readonly type?: string
}

/** What was read comes first, then the other feeds. */
export function optionsOf({ type, url, title, feeds }: PreviewView): FeedOption[] {
  const read = feeds.find((feed) => feed.url === url)
  const first: FeedOption = { url, type, title: title ?? read?.title ?? url }
  const others = feeds.filter((feed) => feed.url !== url)
  return [first, ...others.map((feed) => ({ url: feed.url, title: feed.title ?? feed.url }))]
}

interface Props {
  readonly found: PreviewView
  readonly chosen: ReadonlySet<string>
  onChoose(chosen: ReadonlySet<string>): void
}

export function FeedChoice({ found, chosen, onChoose }: Props) {
  const options = optionsOf(found)
  return (
    <fieldset class="found">
      <legend>{options.length === 1 ? 'Found' : `Found ${options.length} feeds`}</legend>
      {options.map(({ url, title, type }) => (
        <div key={url} class="feed-option">
          <label>
            <input
              type="checkbox"
              checked={chosen.has(url)}
              onChange={(event) => {
                const next = new Set(chosen)
                if (event.currentTarget.checked) next.add(url)
                else next.delete(url)
                onChoose(next)
              }}
            />
            <bdi>{title}</bdi>
          </label>
          <span class="address" title={url}>
            {type === 'website' ? `${url} (page: watched for changes)` : url}
          </span>
        </div>
      ))}
      {found.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </fieldset>
  )
}
