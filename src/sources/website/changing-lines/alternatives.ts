/** A piece of a regular expression, of words that are listed over several lines. */
export const piece = (lines: string): string =>
  lines
    .trim()
    .split(/\s*\n\s*/)
    .join('|')
