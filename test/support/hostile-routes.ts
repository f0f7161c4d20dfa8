// Origins as they should not be: each route is named after what it does wrong. `addHostileRoutes(origin)` mounts all of
// them under `/<name>`. Those that never end stop when the client hangs up.
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, constants, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Handler, Origin } from './origin.ts'

const FEED = '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title></channel></rss>'
const MB = 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 'tidings ')
/** Of deflate: each is 5 bytes and unpacks to none. */
const EMPTY_BLOCKS = Buffer.concat(new Array(10_000).fill(Buffer.from([0, 0, 0, 0xff, 0xff])))

export const HOSTILE: Readonly<Record<string, Handler>> = {
  'endless-body': (_request, response) => writeForEver(response.writeHead(200)),
  'one-byte-at-a-time': (_request, response) => {
    response.writeHead(200)
    everyTick(response, 50, () => response.write('x'))
  },
  'hang-before-headers': () => {},
  'hang-after-headers': (_request, response) => {
    response.writeHead(200).flushHeaders()
  },
  'hang-mid-body': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half of it')
  },
  'headers-that-never-end': (request, response) => {
    request.socket.write('HTTP/1.1 200 OK\r\n')
    everyTick(response, 20, () => request.socket.write(`X-More: ${'y'.repeat(20)}\r\n`))
  },
  'headers-too-large': (request) => {
    request.socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${'y'.repeat(200_000)}\r\n\r\n`)
  },
  'informational-for-ever': (request, response) => {
    everyTick(response, 20, () => request.socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'))
  },
  'gzip-bomb': packed('gzip', () => gzipSync(Buffer.alloc(128 * MB))),
  'br-bomb': packed('br', () =>
    brotliCompressSync(Buffer.alloc(128 * MB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ),
  'zstd-bomb': packed('zstd', () => zstdCompressSync(Buffer.alloc(128 * MB))),
  'deflate-bomb': packed('deflate', () => deflateRawSync(Buffer.alloc(128 * MB))),
  'gzip-in-gzip-bomb': packed('gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(128 * MB)))),
  'encoded-nine-times': packed(new Array(9).fill('gzip').join(', '), () => Buffer.from(FEED)),
  'gzip-of-nothing-without-end': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(FEED).subarray(0, 10))
    writeForEver(response, Number.POSITIVE_INFINITY, EMPTY_BLOCKS)
  },
  'gzip-truncated': packed('gzip', () => cut(gzipSync(FEED))),
  'br-truncated': packed('br', () => cut(brotliCompressSync(FEED))),
  'zstd-truncated': packed('zstd', () => cut(zstdCompressSync(FEED))),
  'deflate-truncated': packed('deflate', () => cut(deflateRawSync(FEED))),
  'gzip-that-is-not': packed('gzip', () => Buffer.from(FEED)),
  'br-that-is-not': packed('br', () => Buffer.from(FEED)),
  'zstd-that-is-not': packed('zstd', () => Buffer.from(FEED)),
  'unknown-encoding': packed('rot13', () => Buffer.from(FEED)),
  'content-length-too-long': raw(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n${FEED}`, 'end'),
  'content-length-twice': raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!', 'end'),
  'content-length-negative': raw('HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello', 'end'),
  'chunks-broken': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\nworld\r\n', 'end'),
  'chunks-cut-short': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nff\r\nwor', 'end'),
  'reset-mid-body': (request, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write('the beginning', () => setTimeout(() => request.socket.resetAndDestroy(), 20))
  },
  'reset-in-a-body-without-length': (request) => {
    request.socket.write(`HTTP/1.1 200 OK\r\n\r\n${FEED.slice(0, 60)}`)
    setTimeout(() => request.socket.resetAndDestroy(), 20)
  },
  'reset-before-headers': (request) => request.socket.resetAndDestroy(),
  'close-before-headers': (request) => request.socket.destroy(),
  'not-http': raw('SSH-2.0-OpenSSH_9.6\r\n', 'end'),
  'nul-in-headers': raw('HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\nContent-Length: 0\r\n\r\n', 'end'),
  'switching-protocols': raw('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'stay'),
  'not-modified-unasked': (_request, response) => response.writeHead(304).end(),
  'partial-unasked': (_request, response) => response.writeHead(206, { 'content-range': 'bytes 0-3/100' }).end('<rss'),
  'error-page-without-end': (_request, response) => writeForEver(response.writeHead(503, { 'retry-after': '120' })),
  'redirect-to-itself': to('/redirect-to-itself'),
  'redirect-ping': to('/redirect-pong'),
  'redirect-pong': to('/redirect-ping'),
  'redirect-without-end': (request, response) => {
    const step = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('n') ?? 0)
    response.writeHead(302, { location: `/redirect-without-end?n=${step + 1}` }).end()
  },
  'redirect-to-file': to('file:///etc/passwd'),
  'redirect-to-gopher': to('gopher://127.0.0.1:6379/_FLUSHALL'),
  'redirect-to-data': to('data:text/xml,<rss/>'),
  'redirect-to-javascript': to('javascript:alert(1)'),
  'redirect-to-private': to('http://10.0.0.1/feed'),
  'redirect-to-metadata': to('http://169.254.169.254/latest/meta-data/'),
  'redirect-to-nowhere': (_request, response) => response.writeHead(301).end(),
  'redirect-to-blank': to(' '),
  'redirect-to-nonsense': to('http://[not-an-address/'),
  'text-of-50-mb': (_request, response) =>
    writeForEver(response.writeHead(200, { 'content-type': 'text/html' }), 50 * MB),
  nuls: (_request, response) => response.writeHead(200).end(Buffer.alloc(1000)),
}

export function addHostileRoutes(origin: Origin): void {
  for (const [name, handler] of Object.entries(HOSTILE)) origin.route(`/${name}`, handler)
}

/** Packed once, when first asked: a bomb takes a while to build. */
function packed(encoding: string, build: () => Uint8Array): Handler {
  let bytes: Uint8Array | null = null
  return (_request, response) => {
    bytes ??= build()
    response.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes)
  }
}

function raw(text: string, then: 'end' | 'stay'): Handler {
  return (request) => {
    if (then === 'end') request.socket.end(text)
    else request.socket.write(text)
  }
}

function to(location: string): Handler {
  return (_request, response) => response.writeHead(302, { location }).end()
}

function cut(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.floor(bytes.length / 2))
}

function writeForEver(response: ServerResponse, bytes = Number.POSITIVE_INFINITY, piece = PIECE): void {
  let sent = 0
  const more = () => {
    while (sent < bytes && !response.destroyed) {
      sent += piece.length
      if (!response.write(piece)) return
    }
    response.end()
  }
  response.on('drain', more)
  more()
}

function everyTick(response: ServerResponse, ms: number, act: () => void): void {
  const timer = setInterval(act, ms)
  response.once('close', () => clearInterval(timer))
}
