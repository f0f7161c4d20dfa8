/** What an entry has beside its text: language, picture, files, the page with its comments, a transcript. */

import { languageTag } from '../../text/language-tag.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import { firstRead, PICTURE_RANK, type WrittenPicture } from '../draft/written-values.ts'
import type { ElementText } from '../elements/element-text.ts'
import type { FeedEnclosure, FeedEntry } from '../feed-document.ts'
import type { Surroundings } from './entry-url.ts'
import { webUrl } from './links.ts'

export type EntryExtras = Pick<FeedEntry, 'language' | 'image' | 'enclosures' | 'commentsUrl' | 'transcriptUrl'>

const MAX_ENCLOSURES = 20
const MAX_TYPE_CHARS = 100

export function extrasOf(draft: EntryDraft, around: Surroundings): EntryExtras {
  return {
    language: draft.language === null ? null : languageTag(draft.language),
    image: imageOf(draft, around),
    enclosures: draft.enclosures.length === 0 ? [] : enclosuresOf(draft, around),
    commentsUrl: firstRead(draft.comments, ({ href, base }) => address(href, base, around)),
    transcriptUrl: draft.transcripts.length === 0 ? null : transcriptOf(draft, around),
  }
}

function address(href: string | ElementText, base: string | null, around: Surroundings): string | null {
  return webUrl(typeof href === 'string' ? href : href.value(), base, around.siteUrl, around.documentUrl)
}

/** Portraits of the author, which some feeds state as a picture of the entry. */
const PORTRAIT = /gravatar\.com\/|\/avatars?\//i

function imageOf({ pictures, enclosures }: EntryDraft, around: Surroundings): string | null {
  const files = enclosures.filter(({ type }) => type?.startsWith('image/'))
  if (pictures.length === 0 && files.length === 0) return null
  const all: WrittenPicture[] = [...pictures, ...files.map(asPicture)]
  const best = all.toSorted((a, b) => a.rank - b.rank || b.width - a.width)
  return firstRead(best, ({ href, base }) => {
    const url = address(href, base, around)
    return url !== null && !PORTRAIT.test(url) ? url : null
  })
}

function asPicture({ href, base }: EntryDraft['enclosures'][number]): WrittenPicture {
  return { href, base, rank: PICTURE_RANK.enclosure, width: 0 }
}

/** Each address once. The length of the episode belongs to its first sound or video. */
function enclosuresOf({ enclosures, seconds }: EntryDraft, around: Surroundings): FeedEnclosure[] {
  const found = new Map<string, FeedEnclosure>()
  for (const { href, base, type, length, seconds: own } of enclosures) {
    const url = address(href, base, around)
    if (url === null || found.has(url)) continue
    found.set(url, {
      url,
      type: type?.slice(0, MAX_TYPE_CHARS) ?? null,
      length,
      ...(own !== null && { duration: own }),
    })
    if (found.size === MAX_ENCLOSURES) break
  }
  const files = [...found.values()]
  const episode = files.find(({ type }) => type === null || /^(?:audio|video)\//.test(type))
  if (episode && seconds !== null) episode.duration ??= seconds
  return files
}

/** The kinds of transcripts, the easiest to read first. */
const TRANSCRIPTS = [
  'text/plain',
  'text/vtt',
  'application/x-subrip',
  'application/srt',
  'text/srt',
  'application/json',
  'text/html',
]

function transcriptOf({ transcripts }: EntryDraft, around: Surroundings): string | null {
  const readable = transcripts
    .map((transcript) => ({
      ...transcript,
      rank: TRANSCRIPTS.indexOf(transcript.type.split(';', 1)[0]?.trimEnd() ?? ''),
    }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
  return firstRead(readable, ({ href, base }) => address(href, base, around))
}
