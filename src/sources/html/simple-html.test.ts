import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ALL_XSS_CASES } from '../../../test/support/xss-many.ts'
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
      '</p>',
      '<!-- a > b -->',
      '<code class="x">y</code>',
      `${'<div>'.repeat(101)}x`,
    ])
      assert.equal(cleanIfSimple(html, BASE), null, html)
  })
})
