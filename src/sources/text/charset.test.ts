import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { assertWithin } from '../../../test/support/processor-time.ts'
import { decodeText } from './charset.ts'

const xml = (bytes: Uint8Array, contentType?: string) => decodeText(bytes, { kind: 'xml', contentType })
const html = (bytes: Uint8Array, contentType?: string) => decodeText(bytes, { kind: 'html', contentType })
const declared = (encoding: string, text: string) => `<?xml version="1.0" encoding="${encoding}"?><rss>${text}</rss>`

test('a byte order mark beats every other word about the charset', () => {
  const bytes = Buffer.from('\ufeffnaïve')
  assert.deepEqual(xml(bytes, 'text/xml; charset=iso-8859-1'), { text: 'naïve', charset: 'utf-8' })
  for (const wide of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
    const marked = iconv.encode('<a>日本</a>', wide, { addBOM: true })
    assert.deepEqual(xml(marked, 'text/xml; charset=utf-8'), { text: '<a>日本</a>', charset: wide })
  }
})

test('wide units without a mark are known by their zeros', () => {
  for (const wide of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
    const bytes = iconv.encode(declared(wide, '日本'), wide, { addBOM: false })
    assert.equal(xml(bytes).text, declared(wide, '日本'))
    assert.equal(xml(bytes, `text/xml; charset="${wide.toUpperCase()}"`).charset, wide)
    for (const space of [' ', '\n', '\r\n', '\t']) {
      assert.equal(xml(iconv.encode(`${space}<a>日本</a>`, wide, { addBOM: false })).text, `${space}<a>日本</a>`)
    }
  }
})

test('Content-Type beats the declaration, quoted or not, in any case', () => {
  const bytes = iconv.encode(declared('iso-8859-1', 'Привет'), 'koi8-r')
  for (const charset of ['koi8-r', "'KOI8-R'", '"koi8-r"', ' koi8-r ; q=1']) {
    assert.equal(xml(bytes, `application/rss+xml; charset=${charset}`).text, declared('iso-8859-1', 'Привет'))
  }
})

test('the declaration counts when Content-Type names no charset, an unknown one or an impossible one', () => {
  const bytes = iconv.encode(declared('shift_jis', '日本語の題名'), 'shift_jis')
  for (const type of [
    undefined,
    'text/xml',
    'text/xml; charset=',
    'text/xml; charset=bogus',
    'text/xml; charset=binary',
    'text/xml; charset=base64',
    'text/xml; charset=utf-8',
  ]) {
    assert.equal(xml(bytes, type).text, declared('shift_jis', '日本語の題名'), String(type))
  }
})

test('iso-8859-1 and us-ascii mean windows-1252', () => {
  const bytes = iconv.encode(declared('ISO-8859-1', '“don’t” €5'), 'windows-1252')
  assert.equal(xml(bytes).text, declared('ISO-8859-1', '“don’t” €5'))
  const ascii = iconv.encode(declared('us-ascii', '“don’t” €5'), 'windows-1252')
  assert.equal(xml(ascii).text, declared('us-ascii', '“don’t” €5'))
})

test('us-ascii with bytes above 127 gives way to what the bytes are', () => {
  const bytes = Buffer.from(declared('utf-8', 'naïve'))
  assert.equal(xml(bytes, 'text/xml; charset=us-ascii').text, declared('utf-8', 'naïve'))
})

test('UTF-8 that says so itself is not spoiled by a server that calls everything something else', () => {
  for (const other of ['iso-8859-1', 'windows-1251', 'koi8-r', 'gb2312', 'shift_jis']) {
    const text = declared('utf-8', 'é')
    assert.deepEqual(xml(Buffer.from(text), `text/xml; charset=${other}`), { text, charset: 'utf-8' })
    const page = '<meta charset=utf-8><title>é</title>'
    assert.equal(html(Buffer.from(page), `text/html; charset=${other}`).text, page)
  }
})

test('what is plainly UTF-8 is, whoever says otherwise', () => {
  for (const other of ['iso-8859-1', 'iso-8859-2', 'windows-1251', 'koi8-r', 'gb2312', 'big5', 'euc-kr', 'macintosh']) {
    for (const words of ['Ünïcödé', 'Déjà vu à Köln, être', '“so”', '日本', '😀 😁', 'Привет', 'שלום עולם']) {
      const text = declared(other, words)
      assert.deepEqual(xml(Buffer.from(text)), { text, charset: 'utf-8' })
      assert.equal(xml(Buffer.from(`<rss>${words}</rss>`), `text/xml; charset=${other}`).text, `<rss>${words}</rss>`)
    }
  }
})

test('a few bytes that might be UTF-8 too are what their charset says', () => {
  for (const text of ['CAFÉ™', 'BEYONCÉ’S Spaß…', 'ROSÉ’S ROSÉ’S ROSÉ’S ROSÉ’S ROSÉ’S', 'é——']) {
    const bytes = iconv.encode(declared('iso-8859-1', text), 'windows-1252')
    assert.equal(xml(bytes).text, declared('iso-8859-1', text))
  }
  const chinese = Buffer.concat([Buffer.from(declared('gb2312', '').slice(0, -6)), Buffer.from('c2b1c3b2c4b3', 'hex')])
  assert.match(xml(chinese).text, /卤貌某$/)
})

test('gb2312 covers all of gb18030', () => {
  assert.equal(xml(iconv.encode(declared('gb2312', '標題𠀀'), 'gb18030')).text, declared('gb2312', '標題𠀀'))
})

test('euc-kr covers what Windows added to it, big5 what Hong Kong did', () => {
  for (const label of ['euc-kr', 'ks_c_5601-1987', 'windows-949']) {
    assert.equal(
      xml(iconv.encode(declared(label, '똠방각하 펲시콜라 €'), 'cp949')).text,
      declared(label, '똠방각하 펲시콜라 €'),
    )
  }
  for (const label of ['big5', 'big5-hkscs']) {
    assert.equal(
      xml(iconv.encode(declared(label, '佢嚟咗香港喺度'), 'big5hkscs')).text,
      declared(label, '佢嚟咗香港喺度'),
    )
  }
})

test('a claim of theirs that the bytes refute is passed over, and else spoils only what is broken', () => {
  for (const label of ['euc-kr', 'big5']) {
    const utf8 = Buffer.from(declared(label, '한국어 제목 繁體'))
    assert.deepEqual(xml(utf8), { text: declared(label, '한국어 제목 繁體'), charset: 'utf-8' })
  }
  const broken = Buffer.concat([iconv.encode(declared('euc-kr', '한국어'), 'cp949'), Buffer.from([0xff, 0x20, 0x20])])
  assert.match(xml(broken).text, /한국어/)
})

test('charsets that browsers lack are read too', () => {
  assert.equal(xml(iconv.encode(declared('cp850', 'Ärger'), 'cp850')).text, declared('cp850', 'Ärger'))
})

test('declared UTF-8 that is windows-1252 is read as windows-1252', () => {
  const bytes = iconv.encode(declared('utf-8', '“Smart” — don’t €5'), 'windows-1252')
  assert.deepEqual(xml(bytes), { text: declared('utf-8', '“Smart” — don’t €5'), charset: 'windows-1252' })
})

test('one stray byte in UTF-8 spoils only itself', () => {
  const bytes = Buffer.concat([Buffer.from('<a>Žluťoučký kůň'), Buffer.from([0x92]), Buffer.from('s příliš</a>')])
  assert.deepEqual(xml(bytes), { text: '<a>Žluťoučký kůň’s příliš</a>', charset: 'utf-8' })
})

test('declared UTF-8 is mended as long as no less of it is good than not', () => {
  const mixed = (strays: number, text = 'été, déjà') =>
    Buffer.concat([Buffer.from(declared('utf-8', text)), Buffer.from('é ü'.repeat(strays / 2), 'latin1')])
  for (const strays of [2, 4]) {
    assert.deepEqual(xml(mixed(strays)), {
      text: declared('utf-8', 'été, déjà') + 'é ü'.repeat(strays / 2),
      charset: 'utf-8',
    })
  }
  assert.equal(xml(mixed(6)).charset, 'windows-1252')
  assert.equal(xml(Buffer.concat([Buffer.from('<a>été, déjà</a>'), Buffer.from([0xe9, 0x20])])).charset, 'utf-8')
  assert.equal(
    xml(Buffer.concat([Buffer.from('<a>été, déjà</a>'), Buffer.from([0xe9, 0x20, 0xe9, 0x20])])).charset,
    'windows-1252',
  )
  const quoted = declared('utf-8', '«CAFÉ», «GELÉ», é')
  assert.deepEqual(xml(Buffer.from(quoted, 'latin1')), { text: quoted, charset: 'windows-1252' })
})

test('millions of strays are mended at the cost of their bytes', async () => {
  const bytes = Buffer.concat([Buffer.from(declared('utf-8', '')), Buffer.alloc(3_000_000, 'c3a9e9', 'hex')])
  await assertWithin(50 + bytes.length / 10_000, () => assert.equal(xml(bytes).charset, 'utf-8'))
})

test('an emoji in two halves of three bytes each is one, and spoils nothing else', () => {
  const halves = (text: string) =>
    Buffer.concat(
      Array.from({ length: text.length }, (_, at) => {
        const unit = text.charCodeAt(at)
        if (unit < 0x800) return Buffer.from(text.charAt(at))
        return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
      }),
    )
  for (const text of ['<a>é 😀</a>', '😀😁', '<a>日本 𝒳 und 🏳️‍🌈, 흠</a>', '흠흠']) {
    assert.deepEqual(xml(halves(text)), { text, charset: 'utf-8' })
    assert.equal(xml(halves(declared('utf-8', text))).text, declared('utf-8', text))
  }
  const torn = halves('<a>éééé éééé éééé 😀x</a>')
  const withoutHalf = Buffer.concat([torn.subarray(0, torn.indexOf(0xed)), torn.subarray(torn.indexOf(0xed) + 3)])
  assert.match(xml(withoutHalf).text, /^<a>éééé éééé éééé .+x<.a>$/)
})

test('UTF-8 cut in the middle of a character is good up to there', () => {
  const bytes = Buffer.from('<a>é日')
  assert.equal(xml(bytes.subarray(0, -1)).text, '<a>é')
  assert.equal(xml(bytes.subarray(0, -2)).text, '<a>é')
})

test('nothing declared: strict UTF-8, else windows-1252', () => {
  assert.deepEqual(xml(Buffer.from('日本')), { text: '日本', charset: 'utf-8' })
  assert.deepEqual(xml(Buffer.from([0x93, 0x41, 0x94])), { text: '“A”', charset: 'windows-1252' })
  assert.deepEqual(html(new Uint8Array(0)), { text: '', charset: 'utf-8' })
})

test('a page tells its charset by either form of <meta>, not by one in a comment', () => {
  const page = (meta: string) => iconv.encode(`<html><head>${meta}<title>Привет</title>`, 'windows-1251')
  const title = (bytes: Uint8Array) => /<title>(.*?)</.exec(html(bytes).text)?.[1]
  assert.equal(title(page('<meta charset="windows-1251">')), 'Привет')
  assert.equal(title(page('<META http-equiv=Content-Type content="text/html; charset=windows-1251">')), 'Привет')
  assert.equal(title(page('<!-- <meta charset=koi8-r> --><meta charset=windows-1251 />')), 'Привет')
})

test('a declaration that the document quotes is not its own', () => {
  const quoted = '<?xml version="1.0" encoding="windows-1251"?>'
  for (const text of [
    `<?xml version="1.0"?><rss><channel><title>é ж</title><description><![CDATA[${quoted}]]></description>`,
    `<a:feed><a:title>é ж</a:title>${quoted}`,
    `<item><title>é ж</title>${quoted}</item>`,
    `<!-- ${quoted} --><RDF>é ж</RDF>`,
    `{"items":[{"title":"é ж","content_html":"${quoted.replaceAll('"', "'")}"}]}`,
  ]) {
    assert.deepEqual(xml(Buffer.from(text)), { text, charset: 'utf-8' })
  }
  for (const start of ['<html><body>', '<BODY class=a>', '<!DOCTYPE html><title>x</title>', '<script>', '<!-- ']) {
    assert.equal(html(Buffer.from(`${start}é ж ${quoted}`)).charset, 'utf-8', start)
  }
})

test('a declaration counts behind white space, comments and junk too', () => {
  for (const junk of [
    '\n ',
    '<!-- <rss> <html> -->',
    '<br />\n<b>Warning</b>: x\n',
    '<?xml version="1.0"?>',
    '<?a b>',
    'x{',
  ]) {
    const text = junk + declared('windows-1251', 'Привет')
    assert.equal(xml(iconv.encode(text, 'windows-1251')).text, text)
    const page = text.replaceAll('rss>', 'html>')
    assert.equal(html(iconv.encode(page, 'windows-1251')).text, page)
  }
  const unfinished = '<?xml version="1.0" encoding="windows-1251"<rss>Привет</rss>'
  assert.equal(xml(iconv.encode(unfinished, 'windows-1251')).text, unfinished)
})

test('a page that calls itself utf-16 in 8-bit bytes is not', () => {
  assert.equal(html(Buffer.from('<meta charset="utf-16">naïve')).charset, 'utf-8')
})

test('a view into a larger buffer is read within its bounds', () => {
  const bytes = Buffer.from(`${declared('koi8-r', 'x')}<a>é</a>`)
  assert.equal(xml(bytes.subarray(bytes.indexOf('<a>'))).text, '<a>é</a>')
})
