// The sources of a podcast, read page by page until there are as many as wanted.
/** @import { SourceRow } from './source-item.js' */
/** @import { Page, Row, RunAction, SourceFilter, SourceView } from './types.d.ts' */
import { call } from './api.js'
import { element } from './element.js'
import { keepRows } from './keep-rows.js'
import { sourceItem } from './source-item.js'

const LARGEST_PAGE = 500

/** @param {string} podcastPath @param {SourceFilter} filter @param {number} wanted */
export async function readSources(podcastPath, filter, wanted) {
  /** @type {SourceView[]} */
  const items = []
  /** @type {string | null} */
  let cursor = null
  do {
    const limit = String(Math.min(wanted - items.length, LARGEST_PAGE))
    const query = new URLSearchParams({ limit, ...filter, ...(cursor === null ? {} : { cursor }) })
    /** @type {Page<SourceView>} */
    const page = await call('GET', `${podcastPath}/sources?${query}`)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < wanted)
  return { items, isMore: cursor !== null }
}

/** @typedef {SourceRow | { empty: string }} ListRow */

/** @param {HTMLElement} list @param {RunAction} run */
export function createSourceList(list, run) {
  const keep = keepRows(list, (/** @type {ListRow} */ item) => ('empty' in item ? emptyItem() : rowOf(item, run)))
  /**
   * @param {string} podcastPath
   * @param {readonly SourceView[]} sources
   * @param {{ empty: string, hostFreeAt: (source: SourceView) => string | null }} shown
   */
  return (podcastPath, sources, { empty, hostFreeAt }) => {
    /** @type {[string, ListRow][]} */
    const rows = sources.map((source) => {
      const path = `${podcastPath}/sources/${encodeURIComponent(source.id)}`
      return [source.id, { source, path, hostFreeAt: hostFreeAt(source) }]
    })
    keep(rows.length > 0 ? rows : [['', { empty }]])
  }
}

/** @param {SourceRow} first @param {RunAction} run @returns {Row<ListRow>} */
function rowOf(first, run) {
  const { node, update } = sourceItem(first, run)
  return { node, update: (item) => 'source' in item && update(item) }
}

/** @returns {Row<ListRow>} */
function emptyItem() {
  const node = element('li', { class: 'empty' })
  return {
    node,
    update(item) {
      node.textContent = 'empty' in item ? item.empty : ''
    },
  }
}
