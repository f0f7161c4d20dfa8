/** Rules about `<img>`: which one only counts readers, and where a lazily loaded picture really is. */
import { absoluteWebAddress } from './absolute-address.ts'

type Attributes = Readonly<Record<string, string>>

/** Services whose pictures count readers or carry share buttons. */
const COUNTERS =
  /^https?:\/\/(?:feeds\.feedburner\.com\/~|[^/]*feedsportal\.com\/|pixel\.|stats\.wordpress\.com|pixel\.wp\.com|[^/]*\.doubleclick\.net|www\.google-analytics\.com|[^/]*\.scorecardresearch\.com|[^/]*\/(?:track(?:ing)?-?pixel|pixel\.gif|spacer\.gif|blank\.gif))/i

export function isTrackingPixel(attributes: Attributes): boolean {
  if (isTiny(attributes.width) || isTiny(attributes.height)) return true
  if (attributes.style !== undefined && hidesPicture(attributes.style.toLowerCase())) return true
  return COUNTERS.test((attributes.src ?? '').trim())
}

function isTiny(size: string | undefined): boolean {
  return size !== undefined && /^\s*0*[012](?:\.\d*)?\s*(?:px)?\s*$/.test(size)
}

function hidesPicture(style: string): boolean {
  if (/display\s*:\s*none|visibility\s*:\s*hidden/.test(style)) return true
  return isTiny(WIDTH.exec(style)?.[1]) || isTiny(HEIGHT.exec(style)?.[1])
}

const WIDTH = /(?:^|;)\s*width\s*:\s*([\d.]{1,9})px/
const HEIGHT = /(?:^|;)\s*height\s*:\s*([\d.]{1,9})px/

/** Where scripts expect the real address of a picture that is loaded late. */
const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-hi-res-src', 'data-url']
const LAZY_SETS = ['srcset', 'data-srcset', 'data-lazy-srcset']

/** The absolute address of the picture; null if there is none. A placeholder in `src` counts only if there is nothing else. */
export function pictureAddress(attributes: Attributes, base: string): string | null {
  const own = (attributes.src ?? '').trim()
  if (isPlaceholder(own)) return lazyAddress(attributes, base) ?? pictureAt(own, base)
  return pictureAt(own, base) ?? lazyAddress(attributes, base)
}

function lazyAddress(attributes: Attributes, base: string): string | null {
  for (const name of LAZY) {
    const address = pictureAt(attributes[name], base)
    if (address !== null) return address
  }
  for (const name of LAZY_SETS) {
    const set = attributes[name]
    const address = set === undefined ? null : pictureAt(largestOf(set), base)
    if (address !== null) return address
  }
  return null
}

function pictureAt(written: string | undefined, base: string): string | null {
  return written === undefined || written.trim() === '' ? null : absoluteWebAddress(written, base)
}

function isPlaceholder(src: string): boolean {
  return (
    src === '' ||
    src.startsWith('data:') ||
    /(?:placeholder|blank|spacer|lazy|loading|1x1|transparent)[^/]*\.(?:gif|png|svg|jpe?g)/i.test(src)
  )
}

const MAX_SET_CHARS = 20_000

/** The address with the greatest width or density in a `srcset`. */
function largestOf(set: string): string {
  let best = { url: '', size: -1 }
  for (const [, url = '', number] of set
    .slice(0, MAX_SET_CHARS)
    .matchAll(/([^\s,]\S*[^\s,])(?:\s+([\d.]{1,9})[wx])?\s*(?:,|$)/g)) {
    const size = Number(number ?? 1)
    if (size > best.size) best = { url, size }
  }
  return best.url
}
