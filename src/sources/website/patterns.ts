/** Helpers that build regular expressions from lists of words. */

/** Joins the lines of a list with `|`. */
export const alternatives = (lines: string): string =>
  lines
    .trim()
    .split(/\s*\n\s*/)
    .join('|')

/** Matches only if the pattern covers the whole line. */
export const wholeLine = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'iu')
