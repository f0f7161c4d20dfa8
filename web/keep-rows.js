// A list whose rows stay the same elements from one refresh to the next, by a stable key: focus, open panels and busy
// buttons outlive it. Where the row with the focus goes, its neighbour gets it, and with no neighbour `otherwise`.

/** `make(item)` gives `{ node, update(item) }`. The answer takes `[key, item]` pairs, in order. */
export function keepRows(list, make, otherwise = list) {
  let rows = new Map()
  return (entries) => {
    const focused = document.activeElement
    const at = [...list.children].findIndex((node) => node.contains(focused))
    rows = new Map(entries.map(([key, item]) => [key, updated(rows.get(key) ?? make(item), item)]))
    arrange(
      list,
      [...rows.values()].map(({ node }) => node),
    )
    if (at >= 0 && document.activeElement !== focused) refocus(focused, list.children[at] ?? list.lastElementChild)
  }

  function refocus(focused, neighbour) {
    const target = focused.isConnected ? focused : (neighbour?.querySelector('a[href], button') ?? otherwise)
    target.focus({ preventScroll: focused.isConnected })
  }
}

function updated(row, item) {
  row.update(item)
  return row
}

/** What is at its place already is not touched: moving an element takes the focus from it. */
function arrange(list, nodes) {
  const wanted = new Set(nodes)
  for (const node of [...list.children]) if (!wanted.has(node)) node.remove()
  let place = list.firstElementChild
  for (const node of nodes) {
    if (node === place) place = place.nextElementSibling
    else list.insertBefore(node, place)
  }
}
