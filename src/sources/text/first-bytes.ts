/** The longest beginning of the text that fits into so many bytes of UTF-8; never half a character. */
export function firstBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit || Buffer.byteLength(text) <= limit) return text
  const bytes = Buffer.from(text)
  let end = limit
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end).trimEnd()
}
