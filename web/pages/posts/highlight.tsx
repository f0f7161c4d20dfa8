// Marks what was searched for in a text. Which posts match is the server's decision; this only shows where.
const EXCERPT = 260

/** The words and phrases of a search, without what is excluded. */
export function wordsOf(query: string): string[] {
  const terms = query.match(/-?(?:\w+:)?"[^"]*"|\S+/g) ?? []
  return terms
    .filter((term) => !term.startsWith('-'))
    .map((term) =>
      term
        .replace(/^(title|source):/i, '')
        .replaceAll('"', '')
        .trim(),
    )
    .filter((term) => term !== '')
}

export function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>
  const parts = text.split(new RegExp(`(${words.map(escapeWord).join('|')})`, 'gi'))
  // Splitting with a group puts each hit at an odd place.
  return <>{parts.map((part, index) => (index % 2 === 1 ? <mark key={`${index}-${part}`}>{part}</mark> : part))}</>
}

/** The beginning of the text, or what is around the first hit. */
export function excerptOf(text: string, words: readonly string[]): string {
  const at = words.length === 0 ? -1 : text.search(new RegExp(words.map(escapeWord).join('|'), 'i'))
  if (at < EXCERPT / 2) return beginningOf(text)
  const before = text.slice(at - 60, at)
  return `… ${before.slice(before.indexOf(' ') + 1)}${beginningOf(text.slice(at))}`
}

/** Ends with a whole word, unless the words are very long or the script has no spaces. */
export function beginningOf(text: string): string {
  if (text.length <= EXCERPT) return text
  const cut = text.slice(0, EXCERPT)
  const space = cut.lastIndexOf(' ')
  return `${space > EXCERPT / 2 ? cut.slice(0, space) : cut} …`
}

/** Marks hits inside a part of the page that came as HTML. */
export function highlightIn(root: HTMLElement, words: readonly string[]): void {
  if (words.length === 0) return
  const pattern = new RegExp(words.map(escapeWord).join('|'), 'i')
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (let text of texts) {
    for (let hit = pattern.exec(text.data); hit; hit = pattern.exec(text.data)) {
      const found = text.splitText(hit.index)
      const rest = found.splitText(hit[0].length)
      const mark = document.createElement('mark')
      found.replaceWith(mark)
      mark.append(found)
      text = rest
    }
  }
}

function escapeWord(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
