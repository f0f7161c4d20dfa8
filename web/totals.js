// How many there are of what.
import { element } from './element.js'

const NAMES = ['sources', 'enabled', 'failing', 'disabled', 'due', 'posts', 'articles', 'hosts']

export function showTotals(place, totals) {
  place.replaceChildren(
    ...NAMES.map((name) =>
      element('div', { class: totals[name] > 0 ? name : 'none' }, element('b', {}, String(totals[name])), name),
    ),
  )
}
