// Somebody at the dashboard: a real Chromium on a real serve, with origins on loopback beside it.
import { randomBytes } from 'node:crypto'
import chromium from '@sparticuz/chromium'
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { type Origin, startOrigin } from '../support/origin.ts'
import { openShell, type Shell } from '../support/run-cli.ts'
import { type ServeProcess, startServe } from '../support/serve-process.ts'
import { until } from '../support/until.ts'

export const SOURCES = '/api/users/default/podcasts/default/sources'

// What runs in the page is text here: the types of a browser have no place among those of a server.
const FOCUSED = `(({ activeElement: focused }) =>
  focused.getAttribute('aria-label') ?? focused.getAttribute('name') ?? (focused.textContent || focused.tagName)
)(document)`

/**
 * Notes every message as it appears. A message goes away after some seconds, and a busy machine may look for it later
 * than that, or press its button too late. So both is done in the page itself.
 */
const NOTE_MESSAGES = `(() => {
  const told = (window.toldMessages = [])
  const presses = (window.messagePresses = [])
  const note = (message) => {
    const text = message.querySelector('p').textContent
    told.push(text)
    const at = presses.findIndex((press) => text.startsWith(press.text))
    if (at < 0) return
    const [{ button }] = presses.splice(at, 1)
    const named = (one) => (one.getAttribute('aria-label') ?? one.textContent) === button
    ;[...message.querySelectorAll('button')].find(named).click()
  }
  new MutationObserver((changes) => {
    for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (added.nodeType === Node.ELEMENT_NODE)
        for (const message of [added, ...added.querySelectorAll('*')]) if (message.matches('.notice')) note(message)
  }).observe(document, { childList: true, subtree: true })
})()`
/** Takes the first message that was told with this text, so that the same one is not taken for the next. */
const TAKE_MESSAGE = `(text, flags) => {
  const isIt = (told) => (flags === null ? told.includes(text) : new RegExp(text, flags).test(told))
  const at = window.toldMessages.findIndex(isIt)
  return at >= 0 && window.toldMessages.splice(0, at + 1).length > 0
}`

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, and a wrong guess fails the test
type Answer = any

export interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly url: string
  readonly shell: Shell
  readonly origin: Origin
  /** What the browser itself had to say against the page. */
  readonly complaints: string[]
  /** Opens a page of the dashboard and waits for its heading. */
  open(path: string, heading: string): Promise<void>
  heading(): Promise<string>
  button(name: string): Locator
  link(name: string): Locator
  /** Waits for a short message over the page, which may be gone again. Those before it count as seen. */
  notice(text: string | RegExp): Promise<void>
  /** Presses this button as soon as the next message appears that begins with this text. */
  pressInMessage(text: string, button: 'Undo' | 'Close message'): Promise<void>
  /** Waits until nothing on the page is loading any more. */
  loaded(): Promise<void>
  /** Waits until the one element reads like this. */
  reads(element: Locator, text: RegExp): Promise<void>
  /** What has the focus, as a screen reader would name it. */
  focused(): Promise<string>
  api(method: string, path: string, body?: unknown): Promise<Answer>
  /** Adds a source untested, and polls it. */
  source(path: string, more?: Readonly<Record<string, unknown>>): Promise<string>
}

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly token?: () => string
  /** A PostgreSQL database, instead of an SQLite file. */
  readonly database?: string | null
}

export async function openVisit({ env = {}, token, database = null }: Options = {}): Promise<Visit> {
  const shell = openShell()
  const origin = await startOrigin()
  const onPostgres = { APP_ENCRYPTION_MASTER_KEY: randomBytes(32).toString('base64') }
  const started = database
    ? startServe(shell.folder, ['--database', database], { ...onPostgres, ...env })
    : startServe(shell.folder, [], env)
  // An origin that is left open would keep a failed test waiting.
  const serve = await started.catch(async (error) => {
    await origin.close()
    throw error
  })
  const browser = await launch()
  // In a context of its own, so that a test can open more tabs.
  const page = await (await browser.newContext()).newPage()
  const complaints = complaintsOf(page)
  await page.addInitScript(NOTE_MESSAGES)
  page.setDefaultTimeout(90_000)
  const api = askerOf(serve, token)
  const heading = () => page.getByRole('heading', { level: 1 }).innerText()
  return {
    ...{ page, url: serve.url, shell, origin, complaints, api, heading },
    async open(path, name) {
      await page.goto(`${serve.url}${path}`)
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    },
    button: (name) => page.getByRole('button', { name, exact: true }),
    link: (name) => page.getByRole('link', { name, exact: true }),
    notice: (text) => until(`the message "${text}" is told`, () => page.evaluate<boolean>(takeMessage(text))),
    pressInMessage: (text, button) => page.evaluate(`messagePresses.push(${JSON.stringify({ text, button })})`),
    loaded: () => until('everything is loaded', async () => (await page.locator('.loading').count()) === 0),
    reads: (element, text) => until(`it reads ${text}`, async () => text.test(await element.innerText())),
    focused: () => page.evaluate<string>(FOCUSED),
    async source(path, more = {}) {
      const url = path.startsWith('http') ? path : `${origin.url}${path}`
      const { id } = await api('POST', SOURCES, { type: 'rss', url, validate: false, ...more })
      await api('POST', `${SOURCES}/${id}/poll?wait=true`)
      return id
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await serve[Symbol.asyncDispose]()
      await origin.close()
      shell[Symbol.dispose]()
    },
  }
}

function takeMessage(text: string | RegExp): string {
  const [source, flags] = typeof text === 'string' ? [text, null] : [text.source, text.flags]
  return `(${TAKE_MESSAGE})(${JSON.stringify(source)}, ${JSON.stringify(flags)})`
}

export async function launch(): Promise<Browser> {
  const args = [...chromium.args]
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true })
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

function askerOf(serve: ServeProcess, token?: () => string): Visit['api'] {
  return async (method, path, body) => {
    const response = await fetch(`${serve.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token()}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : null
  }
}

/** A feed with these entries, which a first poll takes. */
export function feed(title: string, entries: readonly string[]): string {
  const at = new Date(Date.now() + 3_600_000).toUTCString()
  const items = entries.map(
    (entry) => `<item><title>${entry}</title><guid>${entry}</guid><pubDate>${at}</pubDate></item>`,
  )
  return `<rss version="2.0"><channel><title>${title}</title>${items.join('')}</channel></rss>`
}
