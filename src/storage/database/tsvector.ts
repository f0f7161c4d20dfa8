// A tsvector in the form in which PostgreSQL sends and receives it: how many words, then each word, ended by a zero byte,
// with its positions. To read it takes the server a tenth of what it takes to read the text form. The words are in any
// order: the server sorts them faster than this process could.
// See docs/decisions/0207-words-are-sent-as-postgresql-keeps-them.md

/** PostgreSQL keeps no more of a word, and refuses more in this form. */
const MOST_POSITIONS = 256
const BYTES_PER_CHARACTER = 3

export class TsVector {
  readonly #words = new Map<string, number[]>()
  /** How many the whole form has at most. */
  #bytes = 4

  /** Words that follow each other, the first of them at this position: after all positions that it has. */
  addAll(words: readonly string[], first: number): void {
    for (let index = 0; index < words.length; index++) {
      const positions = this.#positionsOf(words[index] as string)
      if (positions.length === MOST_POSITIONS) continue
      positions.push(first + index)
      this.#bytes += 2
    }
  }

  /** A word that may have no position. */
  addUnplaced(word: string): void {
    this.#positionsOf(word)
  }

  #positionsOf(word: string): number[] {
    const known = this.#words.get(word)
    if (known) return known
    const positions: number[] = []
    this.#words.set(word, positions)
    this.#bytes += BYTES_PER_CHARACTER * word.length + 1 + 2
    return positions
  }

  toBuffer(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#bytes)
    let at = bytes.writeInt32BE(this.#words.size)
    for (const [word, positions] of this.#words) {
      at = writeWord(bytes, word, at)
      bytes[at++] = 0
      at = write16(bytes, positions.length, at)
      for (let n = 0; n < positions.length; n++) at = write16(bytes, positions[n] as number, at)
    }
    return bytes.subarray(0, at)
  }
}

/** Most words are short and of ASCII: to call the encoder for each takes longer than to write them. */
function writeWord(bytes: Buffer, word: string, start: number): number {
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    if (code > 0x7f) return start + bytes.write(word, start)
    bytes[start + index] = code
  }
  return start + word.length
}

/** As writeUInt16BE, without its checks: there are hundreds in each post. */
function write16(bytes: Buffer, value: number, at: number): number {
  bytes[at] = value >> 8
  bytes[at + 1] = value
  return at + 2
}
