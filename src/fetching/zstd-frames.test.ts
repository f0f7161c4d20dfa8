import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib'
import { splitAtFrameEnds } from './zstd-frames.ts'

/** A skippable frame: data for other programs, which decompressors ignore. */
const SKIPPED = Buffer.from([0x5c, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * index * 31) >> 3))

async function unpacked(bytes: Uint8Array, pieceLength: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.subarray(at, at + pieceLength))
  return pipeline(Readable.from(pieces), splitAtFrameEnds(), createZstdDecompress(), buffer)
}

test('all frames of a zstd body are decompressed, however the body is split into chunks', async () => {
  const texts = [Buffer.from('one '), Buffer.alloc(0), noise(300_000), Buffer.alloc(200_000, 'a'), Buffer.from('end')]
  const checked = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
  const frames = texts.map((text, index) => zstdCompressSync(text, index % 2 ? checked : {}))
  const body = Buffer.concat([SKIPPED, ...frames.flatMap((frame) => [frame, SKIPPED])])
  for (const pieceLength of [body.length, 65_536, 1_000, 7])
    assert.ok((await unpacked(body, pieceLength)).equals(Buffer.concat(texts)), `in pieces of ${pieceLength}`)
})

test('a body that ends inside a later frame, or continues with garbage, fails', async () => {
  const frame = zstdCompressSync('something')
  for (const rest of [frame.subarray(0, 2), frame.subarray(0, -1), Buffer.from('rubbish')])
    for (const pieceLength of [1, 1_000])
      await assert.rejects(unpacked(Buffer.concat([frame, rest]), pieceLength), { code: /^Z/ })
})

test('a body with too many tiny frames fails', async () => {
  const tiny = zstdCompressSync('')
  const many = (count: number) => Buffer.concat(Array.from({ length: count }, () => tiny))
  assert.equal((await unpacked(many(900), 65_536)).length, 0)
  await assert.rejects(unpacked(many(100_000), 65_536), { name: 'FetchFailure' })
})
