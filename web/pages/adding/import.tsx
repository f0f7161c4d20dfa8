// Importing OPML, JSON or a list of addresses: by a button, or dropped onto the page. The result is listed.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { ImportView } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import type { Podcast } from '../../frame/podcasts.ts'
import { useAction } from '../../parts/action.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { createState, useValue } from '../../parts/state.ts'

const result = createState<ImportView | null>(null)
const TAKES_MOST_MS = 90_000

export async function importFile(podcast: Podcast, file: File): Promise<void> {
  const close = tell('plain', `Importing ${file.name}.`, { forMs: TAKES_MOST_MS })
  try {
    result.set(await sendFile(podcast, file))
  } finally {
    close()
  }
}

async function sendFile(podcast: Podcast, file: File): Promise<ImportView> {
  const body = await file.text()
  const start = body.trimStart()[0]
  const contentType = start === '<' ? 'text/xml' : start === '{' || start === '[' ? 'application/json' : 'text/plain'
  const path = `${podcast.path}/sources/import`
  return call<ImportView>('POST', path, undefined, { raw: { body, contentType } })
}

interface Props {
  readonly podcast: Podcast
  readonly name?: string
  onImported(): unknown
}

export function ImportButton({ podcast, name = 'Import', onImported }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { isBusy, run } = useAction()
  const read = async (file: File | undefined) => {
    if (!file) return
    await run(() => importFile(podcast, file))
    if (field.current) field.current.value = ''
    await onImported()
  }
  return (
    <>
      <button type="button" aria-busy={isBusy} onClick={() => field.current?.click()}>
        {name}
      </button>
      <input
        ref={field}
        class="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label="OPML file"
        accept=".opml,.xml,.json,.txt,text/xml,application/json,text/plain"
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </>
  )
}

export function DropZone({ podcast, onImported, children }: Props & { readonly children: ComponentChildren }) {
  const [isOver, setOver] = useState(false)
  const { run } = useAction()
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    if (!file) return
    await run(() => importFile(podcast, file))
    await onImported()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a second way; the Import button is the first
    <div
      class={`drop-zone ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false)
      }}
      onDrop={(event) => void drop(event)}
    >
      {children}
      <ImportResult />
    </div>
  )
}

function ImportResult() {
  const shown = useValue(result)
  if (!shown) return null
  const { added, skipped, failed } = shown
  const summary = `${added} added, ${skipped} skipped${failed.length > 0 ? `, ${failed.length} failed` : ''}`
  return (
    <Dialog title="Import" onClose={() => result.set(null)}>
      <output class="import-summary">{summary}</output>
      {failed.length > 0 && (
        <ul class="failures">
          {failed.map(({ url, reason }) => (
            <li key={url}>
              <bdi>{url}</bdi>: {reason}
              {/^https?:/i.test(url) && (
                <a
                  href={`/sources?${new URLSearchParams({ add: url })}`}
                  aria-label={`Look for the feed of ${url}`}
                  onClick={() => result.set(null)}
                >
                  Look for its feed
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <div class="actions end">
        <button type="button" class="primary" data-autofocus onClick={() => result.set(null)}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
