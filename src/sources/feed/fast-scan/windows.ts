/**
 * Splits a long document into windows that each end with the end tag of an entry, so that every entry stays whole.
 *
 * The runtime allocates small strings almost for free. It keeps large ones in a separate space, where each character
 * costs several times as much: a feed of 200 KB is read at least a fifth faster in windows than as one string.
 * See docs/decisions/0093-long-feeds-decoded-in-windows.md
 */
const ENTRY_END_TAGS = ['</item>', '</entry>']

/** Each window has at most so many bytes, unless one entry is longer. The last ends with the document. */
export function* windowsOf(bytes: Uint8Array, windowBytes: number): Generator<Uint8Array> {
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const endTag = entryEndTagIn(document.subarray(0, windowBytes))
  let from = 0
  while (endTag !== null && document.length - from > windowBytes) {
    const within = document.subarray(from, from + windowBytes).lastIndexOf(endTag)
    const end = within >= 0 ? from + within : document.indexOf(endTag, from + windowBytes - endTag.length)
    if (end < 0) break
    yield document.subarray(from, end + endTag.length)
    from = end + endTag.length
  }
  yield document.subarray(from)
}

/** The end tag of this feed's entries, which an ordinary feed has in its first window; null if there is none. */
function entryEndTagIn(beginning: Buffer): string | null {
  return ENTRY_END_TAGS.find((endTag) => beginning.includes(endTag)) ?? null
}
