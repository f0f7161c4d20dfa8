import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readLinkHeader } from './link-header.ts'

it('a Link header with several links, quoted commas and bare tokens is read as written', () => {
  const header =
    '<https://a.example/x,y>; rel="alternate feed"; title="One, \\"two\\""; type=application/atom+xml , </b>;rel=next'
  assert.deepEqual(readLinkHeader(header), [
    {
      target: 'https://a.example/x,y',
      rel: ['alternate', 'feed'],
      type: 'application/atom+xml',
      title: 'One, "two"',
      anchor: null,
    },
    { target: '/b', rel: ['next'], type: '', title: null, anchor: null },
  ])
})

it('an extended title wins over a plain one', () => {
  assert.equal(readLinkHeader(`</f>; rel=alternate; title="x"; title*=UTF-8'de'f%C3%BCr`)[0]?.title, 'für')
  assert.equal(readLinkHeader(`</f>; title="x"; title*=UTF-8''%`)[0]?.title, 'x')
})

it('a broken link does not hide the one after it', () => {
  assert.deepEqual(
    readLinkHeader('garbage; rel=x, <broken, </ok>; rel="alternate').map((link) => link.target),
    ['/ok'],
  )
})

it('a hostile header is read in linear time', () => {
  assert.ok(readLinkHeader('<a>;'.repeat(100_000)).length > 0)
  assert.deepEqual(readLinkHeader(';'.repeat(1_000_000)), [])
})
