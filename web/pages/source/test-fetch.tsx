// Looks at the address now, without storing anything: what a first poll would choose.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { PreviewView, SourceView } from '../../api/types.ts'
import { ActionButton } from '../../parts/action.tsx'
import { Region } from '../../parts/small.tsx'
import { PreviewPosts } from '../adding/preview-posts.tsx'

export function TestFetch({ source }: { readonly source: SourceView }) {
  const [found, setFound] = useState<PreviewView | null>(null)
  const fetchNow = async () => {
    setFound(null)
    const { url, type, backfillDays } = source
    setFound(await call<PreviewView>('POST', '/preview', { url, type, backfillDays }))
  }
  return (
    <Region title="Test fetch" actions={<ActionButton work={fetchNow}>Fetch now</ActionButton>}>
      <p class="hint">
        Asks the address once, in its lane, and shows what a first poll would choose. Nothing is stored.
      </p>
      {found && <PreviewPosts found={found} />}
    </Region>
  )
}
