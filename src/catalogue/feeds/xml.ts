// XML out of any text that came in: what XML cannot hold at all is replaced, the rest is escaped.

// Everything but tab, line feed, carriage return and the allowed planes; `u` makes lone surrogates match.
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  // As itself it would be read as a line feed.
  '\r': '&#13;',
}

export function xmlText(text: string): string {
  return text.replace(NOT_XML, '\ufffd').replace(/[&<>"'\r]/g, (character) => ESCAPES[character] ?? '')
}

/** Plain text as the HTML that readers of RSS expect in a description. */
export function htmlOf(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '').replace(/\r\n?|\n/g, '<br>\n')
}

const REFERENCES: Readonly<Record<string, string>> = { '&': '&#x26;', '<': '&#x3C;', '>': '&#x3E;', '\r': '&#13;' }

/** Plain text as the RSS Advisory Board's profile has it in titles: encoded once, by numbers. */
export function plainElement(name: string, text: string): string {
  const plain = text.replace(NOT_XML, '\ufffd').replace(/[&<>\r]/g, (character) => REFERENCES[character] ?? '')
  return `<${name}>${plain}</${name}>`
}

export function element(name: string, text: string | null): string {
  return text === null ? '' : `<${name}>${xmlText(text)}</${name}>`
}
