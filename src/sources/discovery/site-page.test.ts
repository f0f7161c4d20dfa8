import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isSitePage } from './site-page.ts'

const is = (body: string, contentType?: string) => isSitePage(Buffer.from(body, 'latin1'), contentType)

it('what is HTML or XML by its type, or looks like it without one, is a page of a site', () => {
  for (const type of ['text/html', 'Text/HTML; charset=x', 'application/xhtml+xml', 'text/xml', 'application/xml;'])
    assert.equal(is('<p>x', type), true, type)
  for (const type of [undefined, '', ' ']) assert.equal(is(' <!doctype html>', type), true, type)
})

it('a picture, a PDF, data, plain text or nothing at all is not, whatever it calls itself', () => {
  for (const type of ['application/pdf', 'image/png', 'application/json', 'text/plain', 'video/mp4'])
    assert.equal(is('<p>x', type), false, type)
  for (const body of ['', ' \r\n', '%PDF-1.4 <x>', '\x89PNG\r\n <', 'GIF89a<', '\xff\xd8\xff\xe0<'])
    assert.equal(is(body, 'text/html'), false, JSON.stringify(body))
  assert.equal(is('{"a": 1}'), false)
})
