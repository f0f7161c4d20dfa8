// The panel under a source that explains when it is polled. It stays open through refreshes, and they update it.
/** @import { Page, PollView, WhyView } from './types.d.ts' */
import { call } from './api.js'
import { element, shortened, time } from './element.js'

/** @param {string} path of the source */
export function whyPanel(path) {
  const panel = element('div', { class: 'why', hidden: true })
  let asked = 0

  /** @param {string} url */
  async function fill(url) {
    const mine = ++asked
    const found = await explanation(path, url).catch(({ message }) => [element('p', { class: 'problem' }, message)])
    // An answer that comes late must not replace a newer one.
    if (mine === asked) panel.replaceChildren(...found)
  }

  return {
    panel,
    /** Whether it is open then. @param {string} url */
    toggle(url) {
      panel.hidden = !panel.hidden
      if (!panel.hidden) fill(url)
      return !panel.hidden
    },
    /** @param {string} url */
    refresh(url) {
      if (!panel.hidden) fill(url)
    },
  }
}

/** @param {string} path @param {string} url @returns {Promise<HTMLElement[]>} */
async function explanation(path, url) {
  /** @type {[WhyView, Page<PollView>]} */
  const [why, polls] = await Promise.all([call('GET', `${path}/why`), call('GET', `${path}/polls?limit=5`)])
  const lines = polls.items.map((poll) =>
    element(
      'li',
      {},
      time(poll.startedAt, ''),
      ` ${poll.outcome}, ${poll.created} new of ${poll.found}`,
      poll.reason ? `: ${poll.reason}` : '',
    ),
  )
  const whole = shortened(url) === url ? null : element('p', { class: 'whole' }, element('bdi', {}, url))
  return [element('p', {}, why.sentence), element('ul', {}, ...lines), ...(whole ? [whole] : [])]
}
