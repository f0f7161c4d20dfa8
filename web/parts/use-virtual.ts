// Keeps only the rows near the screen in the document, however long the list is. The page itself scrolls.
import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Options {
  readonly count: number
  readonly rowHeight: number
  /** Where the rows begin. */
  readonly list: RefObject<HTMLElement>
}

export interface VirtualRows {
  readonly rows: readonly VirtualItem[]
  readonly heightBefore: number
  readonly heightAfter: number
}

export function useVirtual({ count, rowHeight, list }: Options): VirtualRows {
  const [, rerender] = useState({})
  const [margin, setMargin] = useState(0)
  const kept = useRef<Virtualizer<Window, HTMLElement> | null>(null)
  const options = {
    ...{ count, overscan: 8, scrollMargin: margin },
    estimateSize: () => rowHeight,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    initialRect: { width: innerWidth, height: innerHeight },
    onChange: () => rerender({}),
  }
  kept.current ??= new Virtualizer<Window, HTMLElement>(options)
  const virtualizer = kept.current
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  useLayoutEffect(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(top - margin) > 1) setMargin(top)
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]?.start ?? margin
  const last = rows.at(-1)?.end ?? margin
  return {
    rows,
    heightBefore: Math.max(0, first - margin),
    heightAfter: Math.max(0, virtualizer.getTotalSize() - (last - margin)),
  }
}
