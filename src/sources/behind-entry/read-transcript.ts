/** The words of a transcript: plain text, WebVTT, SubRip, the JSON of the podcast namespace, or HTML. */
import { htmlToText } from '../html/html-text.ts'
import { decodeText } from '../text/charset.ts'

const MAX_CHARS = 1_048_576

export function readTranscript(bytes: Uint8Array, contentType: string | undefined): string {
  const text = decodeText(bytes, { contentType, kind: 'html' }).text.replace(/\r\n?/g, '\n').trim()
  return wordsIn(text, contentType ?? '')
    .slice(0, MAX_CHARS)
    .trim()
}

function wordsIn(text: string, contentType: string): string {
  if (text.startsWith('{') || (text.startsWith('[') && /\bjson\b/.test(contentType))) return wordsOfJson(text)
  if (/^(?:\ufeff)?WEBVTT/.test(text) || TIMES.test(text)) return wordsOfCues(text)
  return contentType.includes('html') || text.startsWith('<') ? htmlToText(withoutHead(text)) : text
}

/** The title of the page is no part of what was said. */
function withoutHead(html: string): string {
  return html.slice(Math.max(html.search(/<\/head>/i), 0))
}

const TIMES = /^[\d:.,]{5,15}[ \t]+-->[ \t]+[\d:.,]{5,15}/m

/** When a word is said (`<00:01.500>`), and where a subtitle stands (`{\an8}`). */
const CUE_MARKS = /<[\d:.]{5,15}>|\{\\[^{}]{1,100}\}/g

/** Cues without numbers, times, notes and marks. A line that is repeated in the next cue counts once. */
function wordsOfCues(text: string): string {
  const lines: string[] = []
  for (const block of text.split(/\n[ \t]*\n/)) {
    const cue = block.split('\n')
    const times = cue.findIndex((line) => line.includes('-->'))
    if (times < 0) continue
    for (const line of cue.slice(times + 1)) {
      const words = htmlToText(line.replace(CUE_MARKS, ''))
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
