// A list whose rows stay the same elements from one refresh to the next, by a stable key: focus, open panels and busy
// buttons survive it. When the row with the focus goes, the focus moves to its neighbour, or else to `fallback`.
/** @import { Row } from './types.d.ts' */
import { firstControl } from './element.js'

/**
 * The function it returns takes `[key, item]` pairs, in order.
 * @template Item
 * @param {HTMLElement} list
 * @param {(item: Item) => Row<Item>} make
 * @param {HTMLElement} [fallback]
 * @returns {(entries: readonly (readonly [string, Item])[]) => void}
 */
export function keepRows(list, make, fallback = list) {
  /** @type {Map<string, Row<Item>>} */
  let rows = new Map()
  return (entries) => {
    const focused = document.activeElement
    const at = [...list.children].findIndex((node) => node.contains(focused))
    rows = new Map(entries.map(([key, item]) => [key, updated(rows.get(key) ?? make(item), item)]))
    const nodes = [...rows.values()].map(({ node }) => node)
    arrange(list, nodes)
    if (at < 0 || document.activeElement === focused || !(focused instanceof HTMLElement)) return
    if (focused.isConnected) focused.focus({ preventScroll: true })
    else (firstControl(list.children[at] ?? list.lastElementChild) ?? fallback).focus()
  }
}

/**
 * @template Item
 * @param {Row<Item>} row
 * @param {Item} item
 */
function updated(row, item) {
  row.update(item)
  return row
}

/** Rows already in place are not touched: moving an element takes the focus from it. @param {HTMLElement} list @param {HTMLElement[]} nodes */
function arrange(list, nodes) {
  /** @type {Set<Element>} */
  const wanted = new Set(nodes)
  for (const node of [...list.children]) if (!wanted.has(node)) node.remove()
  let place = list.firstElementChild
  for (const node of nodes) {
    if (node === place) place = place.nextElementSibling
    else list.insertBefore(node, place)
  }
}
