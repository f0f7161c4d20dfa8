/** The fast conversion from HTML to text and the plain one must give equal texts for every input. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainHtmlToText } from '../../../test/support/plain-html-text.ts'
import { rareInUtf8 } from '../text/collapse-space.ts'
import { htmlToText } from './html-text.ts'

const tags = [
  ...['<p>', '</p>', '<P class="x">', '<br>', '<br/>', '<b>', '</b>', '<i title="a > b">', "<a href='c > d'>", '</a>'],
  ...['<script>', '</script>', '<style>', '</style >', '<script/>', '<pre>', '<px>', '<h1>', '<table><tr><td>'],
  ...['<p title="', "<p title='", '<a b=c"d>', '<a b = "e>f">', '<a "g>', '<!DOCTYPE html>', '<?php', '</ x>', '</>'],
]
const marks = [
  ...['<', '>', '/', '=', '"', "'", '</', '<!', '<!-', '<!--', '-->', '<!-->', '--', '<![CDATA[', ']]>', '<![if', '<?'],
  ...['&', '&amp;', '&lt;b&gt;', '&copy', '&copy2', '&nbsp;', '&#160;', '&shy;', '&#8203;', '&#10;', '&#', ';', '&x'],
  ...['&eacute;', '&ndash;', '&hellip;', '&notit;', '&#xD83D;&#xDE00;', '&#xD83D;', '&#128;', '&NotEqualTilde;'],
]
const texts = [
  ...['text', 'two words', ' ', '  ', '\n', '\t', '\r\n', '\u00a0', '\u00ad', '\u200b', 'é', '—', '😀', '3', 'x'],
  'a line that is longer than what is looked at character by character, '.repeat(4),
]
const anyHtml = fc
  .array(fc.constantFrom(...tags, ...marks, ...texts), { maxLength: 40 })
  .map((pieces) => pieces.join(''))

test('HTML of any pieces gives equal texts', () => {
  fc.assert(
    fc.property(anyHtml, (html) => assert.equal(htmlToText(html), plainHtmlToText(html))),
    { numRuns: 5000 },
  )
})

test('HTML in which rare characters were looked for before gives equal texts', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      const bytes = Buffer.from(html)
      const rare = rareInUtf8(bytes, bytes.length === html.length)
      assert.equal(htmlToText(html, Number.POSITIVE_INFINITY, rare), plainHtmlToText(html))
    }),
    { numRuns: 2000 },
  )
})

test('long HTML gives equal texts', () => {
  fc.assert(
    fc.property(anyHtml, fc.integer({ min: 50, max: 400 }), (html, times) => {
      const long = `${html} <b>x</b>`.repeat(times)
      assert.equal(htmlToText(long), plainHtmlToText(long))
    }),
    { numRuns: 30 },
  )
})
