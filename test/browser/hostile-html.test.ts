// Hostile HTML through the whole pipeline: a feed is polled, and the HTML of its posts is shown in a real browser on a
// page without any protection. Nothing runs, nothing is requested but pictures and sounds, whatever is clicked.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readPage } from '../../src/index.ts'
import { startOrigin } from '../support/origin.ts'
import { startProduct } from '../support/product.ts'
import { until } from '../support/until.ts'
import { XSS_CASES } from '../support/xss-cases.ts'
import { ALL_XSS_CASES } from '../support/xss-many.ts'
import { launch } from './visit.ts'

const CASES_AT_ONCE = 40
/** What is called in the frame is told to the page around it. */
const HOOKS = `<script>
  for (const name of ['owned', 'alert', 'confirm', 'prompt', 'print', 'eval', 'open'])
    window[name] = () => { parent.ran.push(NUMBER) }
</script>`
/** Every way in which a reader could set off what is left: the frame is parsed, written again, pointed at and clicked. */
const PROVOKE = `(async () => {
  for (const frame of document.querySelectorAll('iframe')) {
    const { body, defaultView: own } = frame.contentDocument
    for (let again = 0; again < 3; again++) body.innerHTML = body.innerHTML
    for (const element of body.querySelectorAll('*')) {
      for (const type of ['click', 'mouseover', 'mouseenter', 'focus', 'blur', 'toggle', 'error', 'load', 'keydown', 'pointerdown'])
        element.dispatchEvent(new own.Event(type, { bubbles: true, cancelable: true }))
      if (element.href && !/^(?:https?|mailto):/.test(element.href)) ran.push(element.href)
      if (!element.href) element.click?.()
      element.focus?.()
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 150))
  return ran
})()`

async function shown(page: Page, all: readonly string[]): Promise<unknown[]> {
  const ran: unknown[] = []
  for (let from = 0; from < all.length; from += CASES_AT_ONCE) {
    const frames = all.slice(from, from + CASES_AT_ONCE).map((html, n) => {
      const written = `${HOOKS.replace('NUMBER', String(from + n))}<body>${html}`
      return `<iframe srcdoc="${written.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`
    })
    await page.setContent(`<script>var ran = []</script>${frames.join('')}`, { waitUntil: 'load' })
    ran.push(...(await page.evaluate<unknown[]>(PROVOKE)))
  }
  return ran
}

/** The HTML of posts made of these entries, each with a number that keeps its text apart. */
async function throughThePipeline(entries: readonly string[]): Promise<string[]> {
  await using origin = await startOrigin()
  await using product = await startProduct()
  const at = new Date(Date.now() + 3_600_000).toUTCString()
  const items = entries.map((html, n) => {
    const content = html.replaceAll('\0', '').replaceAll('\u0001', '').replaceAll(']]>', ']]]]><![CDATA[>')
    return `<item><title>${n}</title><guid>${n}</guid><pubDate>${at}</pubDate><link>https://e.example/${n}</link>
      <description><![CDATA[<p>entry ${n}</p>${content}]]></description></item>`
  })
  origin.route('/feed', { body: `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>` })
  const source = await product.tidings.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  const { created } = await product.tidings.poll(source.id)
  assert.equal(created, entries.length)
  const { items: posts } = await product.tidings.posts.list('default', { include: ['html'], limit: 500 })
  assert.equal(posts.length, entries.length)
  return posts.map(({ html }) => html ?? '')
}

describe('hostile HTML in a real browser', () => {
  let browser: Awaited<ReturnType<typeof launch>>
  let page: Page
  const requested: string[] = []
  before(async () => {
    browser = await launch()
    page = await browser.newPage({ bypassCSP: true })
    page.setDefaultTimeout(90_000)
    page.on('dialog', (dialog) => dialog.dismiss())
    await page.route('**', async (route) => {
      const kind = route.request().resourceType()
      if (kind !== 'image' && kind !== 'media') requested.push(`${kind} ${route.request().url()}`)
      await route.fulfill({ status: 404, body: '' })
    })
  })
  after(() => browser?.close())

  test('there are many cases, and as they come they do run', async () => {
    assert.ok(ALL_XSS_CASES.length >= 200, `${ALL_XSS_CASES.length} cases`)
    await shown(page, XSS_CASES.map(([, html]) => html).slice(0, 40))
    await until('8 of them ran', async () => new Set(await page.evaluate<unknown[]>('ran')).size >= 8)
    requested.length = 0
  })

  test('nothing of the posts of a hostile feed runs, or asks for anything but pictures and sounds', async () => {
    const posts = await throughThePipeline(ALL_XSS_CASES)
    assert.ok(posts.filter((html) => html.includes('entry')).length === ALL_XSS_CASES.length)
    assert.deepEqual(await shown(page, posts), [])
    assert.deepEqual(requested, [])
  })

  test('nothing of hostile pages runs either', async () => {
    const text = 'This is a sentence of an article that is long enough to be read. '.repeat(10)
    const pages = ALL_XSS_CASES.flatMap((html) => {
      const bytes = Buffer.from(
        `<html><body><article><h1>T</h1><p>${text}</p>${html}<p>${text}</p></article></body></html>`,
      )
      try {
        return readPage(bytes, { contentType: 'text/html', url: 'https://e.example/' }).html ?? []
      } catch {
        return []
      }
    })
    assert.ok(pages.length > ALL_XSS_CASES.length * 0.9, `${pages.length} pages were read`)
    assert.deepEqual(await shown(page, pages), [])
    assert.deepEqual(requested, [])
  })
})
