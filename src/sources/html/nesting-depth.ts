/**
 * Whether HTML is nested so deep that parsing it would take long: the parser's time grows with the square of the depth.
 * Most HTML is judged by counting tags. Only where that is not enough it is parsed, with a limit on the depth.
 */
import { MAX_DEPTH, ShallowParser } from './shallow-parser.ts'

const TAG = /<(\/?)[a-z]/gi

export function isTooDeep(html: string): boolean {
  if (hasFewTags(html)) return false
  let open = 0
  for (const [, slash] of html.matchAll(TAG)) {
    // Elements without an end tag count as open here, so this is never too low.
    open += slash === '/' ? -1 : 1
    if (open < 0) open = 0
    if (open >= MAX_DEPTH) return isDeep(html)
  }
  return false
}

/** Most entries have fewer tags than the depth that is too much. */
function hasFewTags(html: string): boolean {
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) if (++tags >= MAX_DEPTH) return false
  return true
}

function isDeep(html: string): boolean {
  let depth = 0
  let deepest = 0
  const parser = new ShallowParser({
    onopentag: () => {
      depth++
      deepest = Math.max(deepest, depth)
    },
    onclosetag: () => {
      depth--
    },
  })
  parser.end(html)
  return deepest >= MAX_DEPTH
}
