import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ALL_XSS_CASES } from '../../../test/support/xss-many.ts'
import { absoluteAddress } from './absolute-address.ts'
import { cleanByParser, cleanIfSimple } from './clean-html.ts'

const BASE = 'https://blog.example/2026/post'

/** Pieces of markup that are simple on their own, and some that are not. */
const PIECES = (
  '<p>|</p>|<p class="a">|<div>|</div>|<b>|</b>|<a href="/x?a=1&b=2">|<a href="javascript:x">|</a>|<br>|<br/>|<hr />|<li>|</li>|' +
  '<ul>|</ul>|<table>|<tr>|<td colspan="2">|</td>|</tr>|</table>|<tbody>|<thead>|</thead>|<th>|<h1>|</h1>|<h2 title="">|</h2>|' +
  '<img src="i.png" alt="">|<img src=\'j.png\' width="1">|<img alt="x">|<img src="k.png" srcset="a 1x, b 2x" style="display:none">|' +
  '<dl>|<dt>|<dd>|</dd>|</dl>|<ruby>|<rt>|</rt>|</ruby>|<video src="v.mp4">|</video>|<audio>|</audio>|<source src="s" type="x/y">|' +
  '<details open>|</details>|<q cite="data:x">|</q>|<ol reversed start="">|</ol>|<code class="language-js">|<code>|</code>|<pre>|' +
  '<!-- c -->|<!-->|<!--a--!>|<span title="&quot;&#39;&lt;">|</span>|text|a > b|&amp;|&nbsp;|&copy|&copy;|&notit;|&#8217;|&#150;|&#0;|' +
  '&#x1F600;|& |&|&foo;|&lt;script&gt;|"|\n|\0|<|>|<script>|</script>|<SPAN>|<x>|<a href="?x&copy=1&amp;y">|<a title=\'a"b\' HREF="y">|' +
  '<a/b>|<a href="mailto:a@b">|<img src="&#104;ttp://x/">|<i/>|</i>|<em lang="en" lang="de">|</em>|</p >|</br>|<a title="&ampx">|' +
  '<svg>|<math>|<style>|<template>|<iframe src="x">|<img src=x onerror=owned()>|<a href=" java\tscript:x">|<b onclick="x">'
).split('|')

/** Pieces of addresses; some of them are an address that needs no parser. */
const ADDRESS_PARTS = (
  'https://site.example/|https://site.example|http://a.b-c.example/x/|HTTPS://Site.example/|//other.example/|/|..|.|./|a|B|?|#|&|=|%|' +
  '%2f| |\u00e9|:|@|127.0.0.1|xn--|-|_|~|mailto:|javascript:|data:|\\\\|[|]|{|^|`'
).split('|')

function agree(html: string): boolean {
  const simple = cleanIfSimple(html, BASE)
  if (simple !== null) assert.deepEqual(simple, cleanByParser(html, BASE), html)
  return simple !== null
}

/** The pieces, with the elements that they leave open closed again, so that many of them are well-formed. */
function closed(pieces: readonly string[]): string {
  const open: string[] = []
  for (const piece of pieces) {
    const name = /^<([a-z][a-z0-9]*)[ >]/.exec(piece)?.[1]
    if (name && !/^(?:br|hr|img|source)$/.test(name)) open.push(name)
    if (piece === `</${open.at(-1)}>`) open.pop()
  }
  return (
    pieces.join('') +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  )
}

describe('cleaning simple HTML without a parser', () => {
  test('writes what the parser writes, whatever it is given', () => {
    let simple = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }), fc.boolean(), (pieces, isClosed) => {
        if (agree(isClosed ? closed(pieces) : pieces.join(''))) simple++
      }),
      { numRuns: 10_000, seed: 7 },
    )
    assert.ok(simple > 500, `only ${simple} were simple`)
  })

  test('writes what the parser writes of attributes in any form', () => {
    const name = fc.constantFrom(
      ...'href src cite title class lang dir alt width open HREF Title data-x x:y a.b controls poster'.split(' '),
    )
    const value = fc
      .array(
        fc.constantFrom(...ADDRESS_PARTS, '&amp;', '&copy', '&lt;', '<', '>', "'", '\n', '\u00e9', '=', '&#39;', '"'),
      )
      .map((parts) => parts.join(''))
    const form = fc.constantFrom(
      (n: string, v: string) => ` ${n}="${v}"`,
      (n: string, v: string) => ` ${n}='${v}'`,
      (n: string) => ` ${n}`,
      (n: string, v: string) => `\n\t${n}="${v}"`,
      (n: string, v: string) => ` ${n} = "${v}"`,
      (n: string, v: string) => ` ${n}=${v}`,
    )
    const attribute = fc.tuple(form, name, value).map(([write, n, v]) => write(n, v))
    const tag = fc.constantFrom(...'a p img q code video audio details del source br ol blockquote time'.split(' '))
    const end = fc.constantFrom('>', ' >', '/>', ' />', '  />', '', '/ >')
    let simple = 0
    fc.assert(
      fc.property(tag, fc.array(attribute, { maxLength: 4 }), end, (t, attributes, e) => {
        if (agree(`<${t}${attributes.join('')}${e}text${/^(?:br|img|source)$/.test(t) ? '' : `</${t}>`}`)) simple++
      }),
      { numRuns: 10_000, seed: 8 },
    )
    assert.ok(simple > 500, `only ${simple} were simple`)
  })

  test('an address is what the URL parser makes of it, also where it is not asked', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ADDRESS_PARTS)), (parts) => {
        const written = parts.join('')
        const parsed = URL.parse(written.trim(), BASE)
        const isKept = parsed !== null && /^(?:https?|mailto):$/.test(parsed.protocol)
        assert.equal(absoluteAddress(written, BASE), isKept ? parsed.href : null, written)
      }),
      { numRuns: 5000, seed: 9 },
    )
  })

  test('writes what the parser writes of hostile texts', () => {
    for (const html of ALL_XSS_CASES) agree(html)
    for (const html of ALL_XSS_CASES) agree(`<p>before</p>${html}<p>after</p>`)
  })

  test('is enough for what feeds carry', () => {
    for (const html of [
      'text > only & nothing else',
      '<p>One <b>two</b> &amp; <a href="/x?a=1&b=2" class="l" target="_blank">three</a>&#8217;s&nbsp;</p>\n<!-- more -->\n<ul><li>a</li></ul>',
      '<figure><img loading="lazy" width="9" src="/i.jpg" srcset="/s.jpg 300w"><figcaption>c</figcaption></figure><br/><hr>',
      '<table><thead><tr><th scope="row">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
      '<div><blockquote cite="/q"><p>said</p></blockquote><pre>a &lt; b</pre></div>',
    ])
      assert.ok(agree(html), html)
  })

  test('leaves everything else to the parser', () => {
    for (const html of [
      '<p>one<p>two',
      '<b><i>x</b></i>',
      '<a href=x>y</a>',
      '<P>x</P>',
      '<script>x</script>',
      '<svg></svg>',
      '<p',
      'a &ampb',
      '<a href="?a=1&copy_=2">x</a>',
      '</p>',
      '<!-- a > b -->',
      '<code class="x">y</code>',
      `${'<div>'.repeat(101)}x`,
    ])
      assert.equal(cleanIfSimple(html, BASE), null, html)
  })
})
