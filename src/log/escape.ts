// Escapes text from outside, so that a terminal cannot interpret it. The title of a feed must not move the cursor,
// change colours, fake a second log line or reverse the text. Invisible characters become visible escapes.

const LONE_SURROGATES = '\\p{Surrogate}'
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f'
// Direction marks, line separators, invisible operators, interlinear marks, tag characters. The joiners
// U+200C and U+200D stay: Persian and emoji are spelled with them.
const INVISIBLE =
  '\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}'
const DANGEROUS = new RegExp(`[${CONTROLS}${INVISIBLE}${LONE_SURROGATES}]`, 'gu')

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function escapeForTerminal(text: string): string {
  return text.replace(DANGEROUS, (character) => SHORT[character] ?? codeEscape(character))
}

/** Keeps line breaks, for text such as a stack trace. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n')
}

/** Escapes the same characters in serialised JSON. JSON escapes are used, so the data is unchanged. */
export function escapeInJson(json: string): string {
  return json.replace(DANGEROUS, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

function codeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
