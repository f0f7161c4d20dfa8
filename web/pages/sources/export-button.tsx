// Downloads the sources as OPML. A token goes into a header, so a plain link would not do.
import { callText } from '../../api/call.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'

export function ExportButton({ podcast }: { readonly podcast: Podcast }) {
  const download = async () => {
    const opml = await callText(`${podcast.path}/sources.opml`)
    const url = URL.createObjectURL(new Blob([opml], { type: 'text/x-opml' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'sources.opml'
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return <ActionButton work={download}>Export</ActionButton>
}
