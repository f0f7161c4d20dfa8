import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rareInUtf8 } from '../text/collapse-space.ts'
import { htmlToText } from './html-text.ts'

const cases: [property: string, html: string, text: string][] = [
  ['a block boundary is a space', '<p>Breaking news</p><a href="...">link</a>', 'Breaking news link'],
  ['an inline tag is nothing', 'a<b>b</b>c <i> d</i>', 'abc d'],
  ['<br> is a space, however it is written', 'a<br>b<BR/>c<br />d', 'a b c d'],
  ['list items and table cells do not run together', '<ul><li>a</li><li>b</li></ul><td>c</td><td>d</td>', 'a b c d'],
  ['runs of white space are one space and the ends are trimmed', ' \n a \t\r\n  b\u00a0\u00a0c ', 'a b c'],
  ['script and style leave nothing', 'a<script>if (1<2) x("</p>")</script>b<STYLE>p{}</STYLE >c', 'a b c'],
  ['a script that never ends takes the rest', 'a<script>b', 'a'],
  ['comments leave nothing', 'a<!-- <b>x</b> > -->b<!---->c', 'abc'],
  ['a comment may end with the dashes it begins with', 'a<!-->b<!-- c -->d<!--->e<!---->f', 'abdef'],
  ['a comment that never ends is a tag', 'a<!-- b > c', 'a c'],
  ['references are decoded once', '&lt;b&gt; &amp;amp; &eacute;&#233;&#xE9; &copy 2026', '<b> &amp; ééé © 2026'],
  [
    'a number may stand behind a reference that has no semicolon',
    '&copy2026 &pound100, 1&frac12 2&frac123 5&lt6 &x1 &nosuch7 &copy2;',
    '©2026 £100, 1½ 2½3 5<6 &x1 &nosuch7 ©2;',
  ],
  ['windows-1252 numbers are what browsers make of them', '&#146;&#x80;', '’€'],
  ['unknown references stay', '&bogus; AT&T &; &#; &#xZZ;', '&bogus; AT&T &; &#; &#xZZ;'],
  ['numbers that are no characters become the replacement character', '&#0;&#xD800;&#99999999;', '\ufffd\ufffd\ufffd'],
  ['a < that begins no tag is text', '1 < 2 <3 <- <', '1 < 2 <3 <- <'],
  ['a > in a quoted value does not end the tag', '<a title="x > y" alt=\'>\'>t</a>', 't'],
  ['a quote that is never closed does not swallow the text', '<p title="foo>x</p> y', 'x y'],
  ["an apostrophe in a tag's name or bare value is no quote", "<a b=don't>t</a> it's", "t it's"],
  ['a tag that is cut off is dropped', 'text <a href="htt', 'text'],
  ['sections are text', '<![CDATA[<b>&amp;]]> c', '<b>&amp; c'],
  ['what only looks like a declaration is text', "a <!' b <!DOCTYPE ~", "a <!' b <!DOCTYPE ~"],
  ['declarations and instructions leave nothing', '<!DOCTYPE html><?php echo ?>a', 'a'],
  ['invisible characters are dropped', 'a\u200bb\u00adc&#8203;d&ZeroWidthSpace;e', 'abcde'],
  ['names that begin like a block are no blocks', 'a<pretty>b</pretty>c<px>d', 'abcd'],
]

for (const [property, html, text] of cases) {
  test(property, () => assert.equal(htmlToText(html), text))
}

test('a limit cuts the text, never a character in two', () => {
  assert.equal(htmlToText('hello big world', 6), 'hello')
  assert.equal(htmlToText('ab😀', 3), 'ab')
  assert.equal(htmlToText('<p>abc</p>', 3), 'abc')
})

test('the text never has irregular white space, whatever the input', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<br',
    '>',
    '<!--',
    '-->',
    '&',
    '&nbsp;',
    ' ',
    '\n',
    'a',
    '"',
    "'",
    '=',
    '<',
    ']]>',
    '<![CDATA[',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = htmlToText(pieces.join(''))
      assert.equal(text, text.replace(/\s+/g, ' ').trim())
    }),
  )
})

test('text without markup is itself, but for white space', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9 .,;]*$/), (text) => {
      assert.equal(htmlToText(text), text.replace(/ +/g, ' ').trim())
    }),
  )
})

test('knowing what is rare in a document saves searches and changes nothing', () => {
  const pieces = [
    '\t',
    '\r\n',
    '\u00a0',
    '\u00ad',
    '\u200b',
    '\n',
    ' ',
    'word',
    '<p>',
    '</b>',
    '&nbsp;',
    '&shy;',
    '\u00e9',
  ]
  const many = fc.array(fc.constantFrom(...pieces, ...pieces.slice(5)), { maxLength: 60 })
  fc.assert(
    fc.property(many, fc.constantFrom('', 'x'.repeat(250)), (parts, long) => {
      const html = parts.join('') + long
      const bytes = Buffer.from(html)
      const rare = rareInUtf8(bytes, bytes.length === html.length)
      assert.equal(htmlToText(html, Number.POSITIVE_INFINITY, rare), htmlToText(html))
    }),
    { numRuns: 1000 },
  )
})
