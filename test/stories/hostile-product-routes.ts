// Documents made to hurt their reader, as routes: well-behaved HTTP, bad content. Built when first asked.
import type { Handler } from '../support/origin.ts'

const item = (title: string, body = 'words') => `<item><title>${title}</title><description>${body}</description></item>`
const feed = (items: string, doctype = '') =>
  `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><title>t</title>${items}</channel></rss>`

const LAUGHS = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')

export const HOSTILE_FEEDS: Readonly<Record<string, Handler>> = {
  'billion-laughs': xml(() => feed(item('&l9;'), `<!DOCTYPE rss [<!ENTITY l0 "ha">${LAUGHS}]>`)),
  'external-entities': (request, response) => {
    const stolen = `http://${request.headers.host}/stolen`
    const entities = `<!ENTITY x SYSTEM "${stolen}"><!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "${stolen}">%p;`
    response.end(feed(item('a &x; &f;'), `<!DOCTYPE rss [${entities}]>`))
  },
  'nested-200000-deep': xml(() => feed(item('deep', `${'<a>'.repeat(200_000)}`))),
  'nested-200000-deep-in-markup': xml(() => feed(item('deep', `<![CDATA[${'<div>'.repeat(200_000)}text]]>`))),
  'twenty-thousand-entries': xml(() =>
    feed(Array.from({ length: 20_000 }, (_, n) => item(`e${n}`, `body ${n}`)).join('')),
  ),
  'three-megabytes-in-one-entry': xml(() => feed(item('long', 'tidings '.repeat(380_000)))),
  'nuls-inside': xml(() => feed(item('a\0b', 'c\0d'))),
  'charset-wrong': xml(() => feed(item('Gr\u00fc\u00dfe')), 'text/xml; charset=utf-16'),
  'charset-unknown': xml(() => feed(item('Gr\u00fc\u00dfe')), 'text/xml; charset=x-no-such'),
  'charset-lying': xml(() => Buffer.from(feed(item('Gr\u00fc\u00dfe')), 'latin1'), 'text/xml; charset=utf-8'),
  'unclosed-everything': xml(() => `<rss><channel>${'<item><title>x'.repeat(20_000)}`),
  'attributes-without-end': xml(() => feed(`<item ${'a="1" '.repeat(200_000)}><title>x</title></item>`)),
  'quoted-for-ever': xml(() => `<rss version="2.0${'x'.repeat(2_000_000)}`),
  'json-nested-100000-deep': xml(() => `{"version":"https://jsonfeed.org/version/1.1","items":${'['.repeat(100_000)}`),
  'noise-bytes': xml(() => Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 256))),
  'empty-body': xml(() => ''),
}

export const HOSTILE_PAGES: Readonly<Record<string, Handler>> = {
  'page-200000-deep': html(() => `<title>x</title>${'<div>'.repeat(200_000)}Text at the bottom.`),
  'page-of-tables': html(() => `<title>x</title>${'<table><tr><td>'.repeat(50_000)}Text in many tables.`),
  'page-of-links': html(() => `<title>x</title>${'<a href="/x">one</a> '.repeat(100_000)}`),
  'page-without-text': html(() => '<title>x</title><script>document.write("hello")</script>'),
  'page-of-open-comments': html(() => `<title>x</title>${'<!-- '.repeat(200_000)}`),
}

function xml(build: () => string | Uint8Array, contentType = 'text/xml'): Handler {
  return sent(build, contentType)
}

function html(build: () => string): Handler {
  return sent(build, 'text/html; charset=utf-8')
}

function sent(build: () => string | Uint8Array, contentType: string): Handler {
  let body: string | Uint8Array | null = null
  return (_request, response) => {
    body ??= build()
    response.writeHead(200, { 'content-type': contentType }).end(body)
  }
}
