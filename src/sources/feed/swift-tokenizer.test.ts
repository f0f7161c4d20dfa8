import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { xmlTokenizer } from './swift-tokenizer.ts'

type Token = (string | number)[]

function record(make: (callbacks: TokenizerCallbacks) => Tokenizer, text: string): Token[] {
  const tokens: Token[] = []
  const callbacks = new Proxy({} as TokenizerCallbacks, {
    get: (_, name) =>
      name === 'isInForeignContext' ? undefined : (...args: number[]) => tokens.push([String(name), ...args]),
  })
  const tokenizer = make(callbacks)
  tokenizer.write(text)
  tokenizer.end()
  return tokens
}

test('it finds the same tokens as the tokenizer it is made of', () => {
  const piece = fc.constantFrom(
    '<a>',
    '</a>',
    '<b c="d"',
    " e='f'",
    '/>',
    '>',
    '<',
    '<!--',
    '-->',
    '--',
    '<![CDATA[',
    ']]>',
    ']',
    '<!X',
    '<?p',
    '?>',
    '?',
    '&amp;',
    'text',
    ' ',
    '"',
    "'",
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const plain = (callbacks: TokenizerCallbacks) =>
        new Tokenizer({ xmlMode: true, decodeEntities: false }, callbacks)
      assert.deepEqual(record(xmlTokenizer, text), record(plain, text))
    }),
    { numRuns: 2000 },
  )
})
