// The totals at the top of the page.
/** @import { StatusView } from './types.d.ts' */
import { element } from './element.js'

const NAMES = /** @type {const} */ ([
  'sources',
  'enabled',
  'failing',
  'disabled',
  'quiet',
  'due',
  'posts',
  'articles',
  'hosts',
])

/** @param {HTMLElement} place @param {StatusView['totals']} totals */
export function showTotals(place, totals) {
  place.replaceChildren(
    ...NAMES.map((name) =>
      element('div', { class: totals[name] > 0 ? name : 'none' }, element('b', {}, String(totals[name])), name),
    ),
  )
}
