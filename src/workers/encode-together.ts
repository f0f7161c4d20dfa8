/** As UTF-8, in the order given, as parts of one buffer: a message to another thread then copies one, not one for each. */
export function encodeTogether(texts: readonly (string | null)[]): (Uint8Array | null)[] {
  const sizes = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)))
  const all = Buffer.from(new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 0)))
  let at = 0
  return texts.map((text, index) => {
    if (text === null) return null
    const size = sizes[index] ?? 0
    all.write(text, at)
    at += size
    return new Uint8Array(all.buffer, at - size, size)
  })
}
