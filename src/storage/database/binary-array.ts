// Arrays in the form in which PostgreSQL receives them: a header, then each value with its length. In the text form every
// value is escaped here and read character by character there, which for the texts of new posts takes longer than to
// store them.
// See docs/decisions/0208-poll-with-new-posts-is-one-statement.md

/** The numbers that PostgreSQL has for the types of values. */
const OIDS = { text: 25, bigint: 20, bytea: 17 } as const

export type ArrayType = keyof typeof OIDS

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const BIGINT_BYTES = 8
const NULL_LENGTH = -1
const TWO_TO_32 = 2 ** 32

type Value = string | number | Uint8Array | null

export function binaryArray(type: ArrayType, values: readonly Value[]): Buffer {
  const lengths = values.map(bytesOf)
  const size = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), HEADER_BYTES)
  const bytes = Buffer.allocUnsafe(size)
  // Dimensions, whether there are nulls, type, how many, index of the first.
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(OIDS[type], 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const [index, value] of values.entries()) {
    const length = lengths[index] ?? NULL_LENGTH
    at = bytes.writeInt32BE(length, at)
    if (value === null) continue
    writeValue(bytes, value, at)
    at += length
  }
  return bytes
}

function bytesOf(value: Value): number {
  if (value === null) return NULL_LENGTH
  if (typeof value === 'number') return BIGINT_BYTES
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}

function writeValue(bytes: Buffer, value: string | number | Uint8Array, at: number): void {
  if (typeof value === 'string') bytes.write(value, at)
  else if (typeof value !== 'number') bytes.set(value, at)
  else {
    const high = Math.floor(value / TWO_TO_32)
    bytes.writeInt32BE(high, at)
    bytes.writeUInt32BE(value - high * TWO_TO_32, at + 4)
  }
}

/** The same column of each row, none of which has a list as a value. */
export function columnOf(rows: readonly (readonly unknown[])[], column: number): Value[] {
  return rows.map((row) => (row[column] ?? null) as Value)
}

/** Rows from bound arrays, one for each column. */
export function arraysOf(types: readonly ArrayType[]): string {
  return `unnest(${types.map((type) => `CAST(? AS ${type}[])`).join(', ')})`
}
