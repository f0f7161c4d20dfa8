/** Rules about `<img>`: which one only counts readers, and where a lazily loaded picture really is. */

type Attributes = Readonly<Record<string, string>>

/** Services whose pictures count readers or carry share buttons. */
const COUNTERS =
  /^https?:\/\/(?:feeds\.feedburner\.com\/~|[^/]*feedsportal\.com\/|pixel\.|stats\.wordpress\.com|pixel\.wp\.com|[^/]*\.doubleclick\.net|www\.google-analytics\.com|[^/]*\.scorecardresearch\.com|[^/]*\/(?:track(?:ing)?-?pixel|pixel\.gif|spacer\.gif|blank\.gif))/i

export function isTrackingPixel(attributes: Attributes): boolean {
  const style = (attributes.style ?? '').toLowerCase()
  if (/display\s*:\s*none|visibility\s*:\s*hidden/.test(style)) return true
  const sizes = [attributes.width, attributes.height, sizeIn(style, 'width'), sizeIn(style, 'height')]
  if (sizes.some((size) => /^\s*0*[012](?:\.\d*)?\s*(?:px)?\s*$/.test(size ?? ''))) return true
  return COUNTERS.test((attributes.src ?? '').trim())
}

function sizeIn(style: string, which: 'width' | 'height'): string | undefined {
  return new RegExp(`(?:^|;)\\s*${which}\\s*:\\s*([\\d.]{1,9})px`).exec(style)?.[1]
}

/** Where scripts expect the real address of a picture that is loaded late. */
const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-original-src', 'data-hi-res-src', 'data-url']
const LAZY_SETS = ['srcset', 'data-srcset', 'data-lazy-srcset']

/** The absolute address of the picture; null if there is none. A placeholder in `src` counts only if there is nothing else. */
export function pictureAddress(attributes: Attributes, base: string): string | null {
  const own = (attributes.src ?? '').trim()
  const others = [
    ...LAZY.map((name) => attributes[name] ?? ''),
    ...LAZY_SETS.map((name) => largestOf(attributes[name] ?? '')),
  ]
  const candidates = isPlaceholder(own) ? [...others, own] : [own, ...others]
  for (const candidate of candidates) {
    const url = candidate.trim() === '' ? null : URL.parse(candidate.trim(), base)
    if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href
  }
  return null
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
