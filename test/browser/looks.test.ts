// Rows as everybody gets them: by ear, from right to left, on a small screen, with weak eyes or a shaky hand.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openVisit, type Visit } from './visit.ts'

const ARABIC = 'خبر عاجل (1): العنوان!'
const REVERSING = '\u202eevil \u202dtext'
const LONG = `/long?${'q'.repeat(1800)}`

/** The lesser of a border's contrasts with what is inside and outside, after WCAG 2. */
const CONTRAST = `(field) => {
  const luminance = (color) => {
    const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => {
      const share = Number(part) / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const style = getComputedStyle(field)
  const border = luminance(style.borderTopColor)
  const beside = [style.backgroundColor, getComputedStyle(document.body).backgroundColor].map(luminance)
  return Math.min(...beside.map((other) => (Math.max(border, other) + 0.05) / (Math.min(border, other) + 0.05)))
}`

const STYLES = `[...document.querySelectorAll('#sources strong, #sources .facts > bdi')].map((node) => {
  const { direction, unicodeBidi } = getComputedStyle(node)
  return { direction, unicodeBidi }
})`

describe('a row of the dashboard', () => {
  let visit: Visit

  before(async () => {
    visit = await openVisit({ env: { APP_SOURCE_TICK_SECONDS: '3600' } })
    await visit.source('/a', { label: ARABIC })
    await visit.source('/b', { label: REVERSING })
    await visit.source(LONG)
    await visit.source(`${LONG}2`, { label: 'Labelled' })
    await visit.page.goto(visit.url)
    await visit.row('Labelled').waitFor()
  })
  after(() => visit?.[Symbol.asyncDispose]())

  test('has buttons that name their source', async () => {
    const buttons = visit.page.locator('#sources button')
    const names = await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
    assert.equal(new Set(names).size, 16)
    assert.ok(names.includes(`Remove (${ARABIC})`))
  })

  test('reads in the direction of its label, which turns nothing beside it', async () => {
    const styles = await visit.page.evaluate<{ direction: string; unicodeBidi: string }[]>(STYLES)
    assert.equal(styles[0]?.direction, 'rtl')
    assert.deepEqual(new Set(styles.map(({ unicodeBidi }) => unicodeBidi)), new Set(['isolate']))
  })

  test('keeps an endless address short, and whole on hover and when opened', async () => {
    for (const row of [visit.row('long').first(), visit.row('Labelled')]) {
      const height = await row.evaluate((node) => node.getBoundingClientRect().height)
      assert.ok(height < 200, `${height} px high`)
      assert.ok((await row.locator('[title$=q], [title$=q2]').count()) > 0)
    }
    await visit.row('Labelled').getByRole('button', { name: 'Why?' }).click()
    await visit
      .row('Labelled')
      .locator('.whole', { hasText: `${LONG}2` })
      .waitFor()
  })

  test('fits a narrow screen', async () => {
    await visit.page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await visit.page.evaluate('document.documentElement.scrollWidth'), 360)
    await visit.page.setViewportSize({ width: 1200, height: 900 })
  })

  test('and all else can be hit and seen', async () => {
    visit.origin.route('/a', { status: 429, headers: { 'retry-after': '600' } })
    await visit.row(ARABIC).getByRole('button', { name: 'Poll now' }).click()
    await visit.page.locator('#trouble li').waitFor()
    // As with an open breaker.
    await visit.page.evaluate(`document.querySelector('#trouble button').hidden = false`)
    const heights = await visit.page
      .locator('button:visible, input:visible, select:visible')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
    assert.ok(Math.min(...heights) >= 24, `${Math.min(...heights)} px`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme })
      for (const field of ['#add input', '#add select', '#filter input']) {
        const contrast = await visit.page.evaluate<number>(`(${CONTRAST})(document.querySelector('${field}'))`)
        assert.ok(contrast >= 3, `${field}, ${colorScheme}: ${contrast}`)
      }
    }
  })
})
