// The sources of a podcast, as many as asked for: page after page by cursor, so there is no end before the end.
import { call } from './api.js'
import { element } from './element.js'
import { keepRows } from './keep-rows.js'
import { sourceItem } from './source-item.js'

const LARGEST_PAGE = 500

export async function readSources(home, filter, wanted) {
  const items = []
  let cursor = null
  do {
    const limit = String(Math.min(wanted - items.length, LARGEST_PAGE))
    const query = new URLSearchParams({ limit, ...filter, ...(cursor === null ? {} : { cursor }) })
    const page = await call('GET', `${home}/sources?${query}`)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < wanted)
  return { items, isMore: cursor !== null }
}

export function createSourceList(list, act) {
  const keep = keepRows(list, (item) => ('empty' in item ? emptyItem() : sourceItem(item.path, act)))
  /** `waitingFor(source)`: until when its host is left alone, or null. */
  return (home, sources, { empty, waitingFor }) => {
    const rows = sources.map((source) => {
      const path = `${home}/sources/${encodeURIComponent(source.id)}`
      return [source.id, { source, path, hostUntil: waitingFor(source) }]
    })
    keep(rows.length > 0 ? rows : [['', { empty }]])
  }
}

function emptyItem() {
  const node = element('li', { class: 'empty' })
  return {
    node,
    update({ empty }) {
      node.textContent = empty
    },
  }
}
