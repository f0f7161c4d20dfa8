// Charsets, from the wire to the stored post. The first that applies wins: byte order mark, Content-Type header,
// declaration in the document, valid UTF-8, windows-1252.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import iconv from 'iconv-lite'
import type { StaticAnswer } from '../../test/support/origin.ts'
import { checksInOneWorld, inGroup, type SharedCheck } from './check.ts'

const check = inGroup('charsets and codings')
const WORDS = 'Gr\u00fc\u00dfe \u2013 \u201eja\u201c'
const feedOf = (title: string, declared = '') =>
  `<?xml version="1.0"${declared && ` encoding="${declared}"`}?><rss version="2.0"><channel><title>t</title><item><title>${title}</title><description>d</description></item></channel></rss>`
const pageOf = (title: string, head = '') => {
  const text = `${title}: ${'Words enough to make a page worth reading. '.repeat(12)}`
  return `<html><head>${head}<title>${title}</title></head><body><article><p>${text}</p></article></body></html>`
}

const stores = (property: string, type: 'rss' | 'website', answer: StaticAnswer, title = WORDS): SharedCheck => ({
  property,
  async run(world, path) {
    world.origin.route(path, answer)
    const { id } = await world.add(path, { type, pollDelaySeconds: 0 })
    const { reason } = await world.tidings.poll(id)
    const [post] = (await world.tidings.posts.list('default', { source: id })).items
    return { seen: post?.title ?? `no post: ${reason}`, expected: title }
  },
})

const feed = (property: string, bytes: Uint8Array, contentType?: string, title?: string) =>
  stores(`feed: ${property}`, 'rss', { body: bytes, ...(contentType && { contentType }) }, title)
const page = (property: string, bytes: Uint8Array, contentType = 'text/html') =>
  stores(`page: ${property}`, 'website', { body: bytes, contentType })

const utf8 = (text: string) => Buffer.from(text)
const mark = (...bytes: number[]) => Buffer.from(bytes)
const JAPANESE = '\u65e5\u672c\u8a9e\u306e\u898b\u51fa\u3057'

const BYTES = [
  feed(
    'the byte order mark overrides a wrong header',
    Buffer.concat([mark(0xef, 0xbb, 0xbf), utf8(feedOf(WORDS))]),
    'text/xml; charset=iso-8859-1',
  ),
  feed(
    'UTF-16 by its byte order mark',
    Buffer.concat([mark(0xff, 0xfe), iconv.encode(feedOf(WORDS), 'utf-16le')]),
    'text/xml',
  ),
  feed(
    'Content-Type overrides the declaration',
    iconv.encode(feedOf(WORDS, 'koi8-r'), 'windows-1252'),
    'text/xml; charset=windows-1252',
  ),
  feed('the declaration', iconv.encode(feedOf(JAPANESE, 'Shift_JIS'), 'shift_jis'), 'text/xml', JAPANESE),
  feed('undeclared UTF-8', utf8(feedOf(WORDS)), 'text/xml'),
  feed('undeclared windows-1252', iconv.encode(feedOf(WORDS), 'windows-1252'), 'text/xml'),
  feed('iso-8859-1 means windows-1252', iconv.encode(feedOf(WORDS, 'iso-8859-1'), 'windows-1252')),
  page('Content-Type', iconv.encode(pageOf(WORDS), 'windows-1252'), 'text/html; charset=windows-1252'),
  page('<meta charset>', iconv.encode(pageOf(WORDS, '<meta charset="windows-1252">'), 'windows-1252')),
  page('undeclared UTF-8', utf8(pageOf(WORDS))),
  page('undeclared windows-1252', iconv.encode(pageOf(WORDS), 'windows-1252')),
  ...(
    [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
      ['zstd', zstdCompressSync],
    ] as const
  ).map(([coding, pack]) =>
    stores(`compressed with ${coding}${pack === deflateRawSync ? ' without zlib header' : ''}`, 'rss', {
      body: pack(utf8(feedOf(WORDS))),
      headers: { 'content-encoding': coding },
    }),
  ),
]

export const CHARSETS = checksInOneWorld(check, BYTES)
