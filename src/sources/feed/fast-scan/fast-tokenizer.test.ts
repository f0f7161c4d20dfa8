import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { type FastCallbacks, xmlTokenizer } from './fast-tokenizer.ts'

type Token = (string | number)[]

function record(make: (callbacks: FastCallbacks) => Tokenizer, text: string): Token[] {
  const tokens: Token[] = []
  const onplaintagend = (end: number) => {
    tokens.push(['onopentagend', end])
    return end + 1
  }
  const onplainattribute = (nameStart: number, nameEnd: number, start: number, end: number) => {
    tokens.push(
      ['onattribname', nameStart, nameEnd],
      ['onattribdata', start, end],
      ['onattribend', text[end] === '"' ? QuoteType.Double : QuoteType.Single, end + 1],
    )
  }
  const endOfSection = (open: number) => text.indexOf(']]>', open + '<![CDATA['.length)
  const callbacks = new Proxy({ onplaintagend, onplainattribute, endOfSection } as FastCallbacks, {
    get(own, name) {
      if (name === 'isInForeignContext') return undefined
      return name in own ? Reflect.get(own, name) : (...args: number[]) => tokens.push([String(name), ...args])
    },
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
    ' g="h i"',
    ' j="',
    ' k',
    '=',
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
    '\n',
    '\t\r\f',
    '\v',
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
