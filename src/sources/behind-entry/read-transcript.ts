/** The words of a transcript: plain text, WebVTT, SubRip, the JSON of the podcast namespace, or HTML. */
import { htmlToText } from '../html/html-text.ts'
import { decodeText } from '../text/charset.ts'

const MAX_CHARS = 1_048_576

export function readTranscript(bytes: Uint8Array, contentType: string | undefined): string {
  const text = decodeText(bytes, { contentType, kind: 'html' }).text.trim()
  return wordsIn(text, contentType ?? '')
    .slice(0, MAX_CHARS)
    .trim()
}

function wordsIn(text: string, contentType: string): string {
  if (text.startsWith('{')) return wordsOfJson(text)
  if (/^(?:\ufeff)?WEBVTT/.test(text) || TIMES.test(text)) return wordsOfCues(text)
  return contentType.includes('html') || text.startsWith('<') ? htmlToText(text) : text
}

const TIMES = /^[\d:.,]{5,15}[ \t]+-->[ \t]+[\d:.,]{5,15}/m

/** Cues without numbers, times, notes and marks. A line that is repeated in the next cue counts once. */
function wordsOfCues(text: string): string {
  const lines: string[] = []
  for (const block of text.split(/\r?\n[ \t]*\r?\n/)) {
    const cue = block.split(/\r?\n/)
    const times = cue.findIndex((line) => line.includes('-->'))
    if (times < 0) continue
    for (const line of cue.slice(times + 1)) {
      const words = htmlToText(line)
      if (words !== '' && words !== lines.at(-1)) lines.push(words)
    }
  }
  return lines.join(' ')
}

function wordsOfJson(text: string): string {
  try {
    const { segments } = JSON.parse(text) as { segments?: unknown }
    if (!Array.isArray(segments)) return ''
    return segments.map((segment) => (typeof segment?.body === 'string' ? segment.body.trim() : '')).join(' ')
  } catch {
    return ''
  }
}
