import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  arabicPage,
  blogPage,
  botChallenge,
  docsPage,
  forumPage,
  japanesePage,
  newsPage,
  PARAGRAPHS,
  paywallStub,
  scriptShell,
} from '../../../test/support/sample-pages.ts'
import { PageError } from './page-error.ts'
import { readPage } from './read-page.ts'

const read = (html: string, contentType = 'text/html; charset=utf-8') =>
  readPage(new TextEncoder().encode(html), { url: 'https://example.org/a/b', contentType })
const codeOf = (html: string): string => {
  try {
    return `read: ${read(html).text}`
  } catch (error) {
    return error instanceof PageError ? error.code : String(error)
  }
}

describe('the main text', () => {
  it('of a news page is only its paragraphs, with a blank line between them', () => {
    assert.equal(read(newsPage()).text, PARAGRAPHS.join('\n\n'))
  })

  it('of a blog post keeps quotations and headings, whatever the tags of the post', () => {
    const { text } = read(blogPage())
    assert.ok(text.startsWith(PARAGRAPHS.join('\n\n')))
    assert.match(text, /A mill is a house that eats rivers\.\n\nSources\n\n/)
    assert.doesNotMatch(text, /Archives|Posted on/)
  })

  it('keeps the lead above a marked body, and nothing else above it', () => {
    const [lead, ...rest] = PARAGRAPHS
    const body = `<div itemprop="articleBody">${rest.map((text) => `<p>${text}</p>`).join('')}</div>`
    const page = `<main><h1>x</h1><div class="article__perex">${lead}</div><div class="tools"><p>Listen to this story, narrated by nobody.</p></div>${body}</main>`
    assert.equal(read(page).text, PARAGRAPHS.join('\n\n'))
  })

  it('of documentation keeps anchored headings, lines of code and rows of tables', () => {
    const { text } = read(docsPage())
    assert.match(text, /From the registry\n\n/)
    assert.match(text, /npm install thing\nthing start --port 8080/)
    assert.match(text, /port where to listen\ndata where to keep things/)
    assert.doesNotMatch(text, /Last updated|Docs/)
  })

  it('of a forum thread is the text of its posts', () => {
    const { text } = read(forumPage())
    for (const paragraph of PARAGRAPHS) assert.ok(text.includes(paragraph))
  })

  it('of a paywalled page is the free part', () => {
    assert.equal(read(paywallStub()).text, PARAGRAPHS[0])
  })

  it('of pages in other scripts is complete', () => {
    assert.match(read(japanesePage()).text, /^町議会は.*続いていた。\n\n工事は.*述べた。\n\n反対する.*求めている。$/s)
    assert.match(read(arabicPage()).text, /^صوت.*عاما\.\n\nوقال.*سليما\.$/s)
  })

  it('is found on any page with readable text, even a short or unusual one', () => {
    assert.equal(read('just words').text, 'just words')
    assert.equal(read('<p>one</p><p>two').text, 'one\n\ntwo')
    assert.equal(read('<html><p>Only a line.').text, 'Only a line.')
    assert.equal(read('<body><nav>All there is</nav></body>').text, 'All there is')
    assert.equal(
      read('<frameset><frame src="x"><noframes>Read it without frames</noframes></frameset>').text,
      'Read it without frames',
    )
    assert.equal(read(`<div id="app"></div><noscript><p>${PARAGRAPHS[0]}</p></noscript>`).text, PARAGRAPHS[0])
    assert.equal(read('Line one\r\n\r\n\r\n  Line   two\n', 'text/plain').text, 'Line one\n\nLine two')
  })

  it('is found when tags are missing or in the wrong place', () => {
    const article = `<h1>x</h1>${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}`
    const pages = [
      `<html><head><title>x</title><body>${article}`,
      `<html><head><title>x</title></head><script>1</script><div></div><body>${article}</body></html>`,
      `<html><head><title>x</title>${article}`,
      `<title>x</title>${article}`,
      `<html><body></body><body>${article}</body></html>`,
      `<body>${article}</body>`,
    ]
    for (const page of pages) assert.equal(read(page).text, PARAGRAPHS.join('\n\n'), page.slice(0, 60))
  })

  it('comes from JSON-LD when the page itself shows no text', () => {
    const data = JSON.stringify({ '@type': 'NewsArticle', articleBody: PARAGRAPHS.join(' ') })
    assert.equal(
      read(`<title>x</title><script type="application/ld+json">${data}</script><div>Loading</div>`).text,
      PARAGRAPHS.join(' '),
    )
  })

  it('is the same for the same bytes', () => {
    assert.deepEqual(read(newsPage()), read(newsPage()))
  })

  it('is cut at the limit with a note, for trees and for streams; a text that fits has no note', () => {
    const limit = 1_048_576
    const cut = ['the text was cut to 1048576 characters']
    const tooDeep = '<div>'.repeat(300)
    const fitting = `x${' word'.repeat((limit - 1) / 5)}`
    for (const [around, type] of [
      ['<p>', 'text/html'],
      [tooDeep, 'text/html'],
      ['', 'text/plain'],
    ] as const) {
      const whole = read(`${around}${fitting}${' '.repeat(10)}`, type)
      assert.deepEqual([whole.text.length, whole.truncated], [limit, []], type)
      const long = read(`${around}${fitting} and more`, type)
      assert.deepEqual([long.text.length, long.truncated], [limit, cut], type)
    }
    assert.deepEqual(read(`${tooDeep}${fitting}<p>and more`).truncated, cut)
    const smiling = read(`x${'😀'.repeat(limit / 2)}`, 'text/plain')
    assert.deepEqual([smiling.text.isWellFormed(), smiling.truncated], [true, cut])
    const named = read(`<title>${'t'.repeat(1001)}</title><p>${PARAGRAPHS[0]}</p>`)
    assert.deepEqual([named.title.length, named.truncated], [1000, ['the title was cut to 1000 characters']])
  })

  it('is decoded by the declared charset', () => {
    const bytes = Uint8Array.from(`<meta charset="iso-8859-1"><p>caf\xe9</p>`, (char) => char.charCodeAt(0))
    assert.equal(readPage(bytes, { url: 'https://example.org/' }).text, 'café')
  })
})

describe('a page without readable text is rejected with a code', () => {
  it('empty and blank documents', () => {
    assert.equal(codeOf(''), 'empty')
    assert.equal(codeOf(' \n '), 'empty')
  })

  it('documents without text', () => {
    assert.equal(codeOf('<html><body><img src="x"><script>var a = "text"</script></body></html>'), 'no-text')
  })

  it('images and other binary data', () => {
    const noise = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256)
    assert.throws(() => readPage(noise, { url: 'https://example.org/x' }), { code: 'not-a-page' })
    assert.equal(codeOf('%PDF-1.7 and so on'), 'not-a-page')
  })

  it('pages that need JavaScript, and bot challenges', () => {
    assert.equal(codeOf(scriptShell()), 'needs-script')
    assert.equal(codeOf(botChallenge()), 'bot-challenge')
  })

  it('block pages of protection services', () => {
    const pages: [title: string, body: string][] = [
      [
        "Making sure you're not a bot!",
        `<main><h1>Making sure you're not a bot!</h1><p>Loading...</p><details><summary>Why am I seeing this?</summary><p>${'The administrator of this website has set up Anubis to protect the server. '.repeat(12)}</p></details></main>`,
      ],
      [
        'Attention Required! | Cloudflare',
        `<h1>Sorry, you have been blocked</h1><h2>You are unable to access example.org</h2><p>${'This website is using a security service to protect itself from online attacks. '.repeat(10)}</p>`,
      ],
      [
        'Access to this page has been denied',
        '<div>Press &amp; Hold to confirm you are a human (and not a bot).</div>',
      ],
      ['example.org', '<p>Please enable JS and disable any ad blocker</p>'],
      ['Vercel Security Checkpoint', '<p>We’re verifying your browser</p><a href="/x">Website owner? Click here</a>'],
      ['Checking', '<p>Checking you are not a bot, please wait...</p>'],
      ['Sicherheitsprüfung', '<p>Bitte bestätigen Sie, dass Sie kein Roboter sind.</p>'],
    ]
    for (const [title, body] of pages) assert.equal(codeOf(`<title>${title}</title>${body}`), 'bot-challenge', title)
  })

  it('pages that only say that they are loading', () => {
    for (const words of [
      'Loading...',
      'Loading…',
      'Please wait...',
      'Loading, please wait',
      'Wird geladen …',
      'Chargement en cours…',
    ])
      assert.equal(codeOf(`<title>App</title><div id="app">${words}</div>`), 'needs-script', words)
  })

  it('but not a short text with similar words', () => {
    for (const words of [
      'Loading docks are closed today.',
      'Press and hold the red button for five seconds.',
      'The new clerk is not a robot, the mayor said.',
      'Please wait at the door.',
    ])
      assert.equal(codeOf(`<title>Notice</title><p>${words}</p>`), `read: ${words}`)
  })

  it('but not an article about one of these subjects', () => {
    const about = `<article><h1>x</h1>${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}<p>The page asked: verify you are human. You need to enable JavaScript.</p></article>`
    assert.match(read(about).text, /verify you are human/)
  })
})
