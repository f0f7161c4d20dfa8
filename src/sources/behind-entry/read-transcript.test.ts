import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGrowsLinearly } from '../../../test/support/processor-time.ts'
import { readTranscript } from './read-transcript.ts'

const read = (text: string): string => readTranscript(Buffer.from(text), 'text/vtt')

describe('a transcript', () => {
  test('of cues is their words, without times, notes and lines that are said again', () => {
    const vtt =
      'WEBVTT\n\nNOTE made by hand\n\n1\n00:00:01.000 --> 00:00:02.000\n<v Ann>Low <i>tide</i>\n\n2\n00:00:02.000 --> 00:00:03.000\nLow tide\nat nine'
    assert.equal(read(vtt), 'Low tide at nine')
    assert.equal(read('1\r\n00:00:01,000 --> 00:00:02,000\r\nHigh tide\r\n\r\n'), 'High tide')
  })

  test('of cues has no marks for the time of a word or the place of a line, whatever ends its lines', () => {
    const vtt = 'WEBVTT\r\r00:01.000 --> 00:02.000\rLow<00:01.500><c> tide</c>\r\r00:02.000 --> 00:03.000\rat 9:30'
    assert.equal(read(vtt), 'Low tide at 9:30')
    assert.equal(read('1\n00:00:01,000 --> 00:00:02,000\n{\\an8}High {tide}'), 'High {tide}')
  })

  test('of HTML is its words, without the title of the page', () => {
    const html =
      '<!doctype html><html><head><title>Episode 7</title></head><body><cite>Ann:</cite> <p>Low tide</p></body></html>'
    assert.equal(readTranscript(Buffer.from(html), 'text/html'), 'Ann: Low tide')
    assert.equal(readTranscript(Buffer.from('<p>High tide</p>'), 'text/html'), 'High tide')
  })

  test('of JSON is the words of its segments, and nothing if it is broken', () => {
    assert.equal(read('{"segments":[{"body":"Low "},{"body":7},{"body":"tide"}]}'), 'Low  tide')
    assert.equal(read('{"segments":'), '')
    assert.equal(readTranscript(Buffer.from('["something else"]'), 'application/json'), '')
  })

  const shapes: Readonly<Record<string, (count: number) => string>> = {
    cues: (count) => `WEBVTT\n\n${'00:00:01.000 --> 00:00:02.000\nhello\n\n'.repeat(count)}`,
    'blank lines with blanks': (count) => `WEBVTT${'\n \t'.repeat(count)}`,
    'lines that nearly have times': (count) => `${'1:'.repeat(7)}${' \t'.repeat(20)}\n`.repeat(count),
    'arrows alone': (count) => `WEBVTT\n\n${'-->\n'.repeat(count)}`,
    'open tags': (count) => `WEBVTT\n\n1 --> 2\n${'<c>'.repeat(count)}`,
    'open braces': (count) => '{'.repeat(count),
    'marks that do not end': (count) => `WEBVTT\n\n1 --> 2\n${'{\\<00:'.repeat(count)}`,
    heads: (count) => '<head></head '.repeat(count),
  }
  for (const [name, text] of Object.entries(shapes)) {
    test(`takes no longer than in proportion: ${name}`, () =>
      assertGrowsLinearly(name, 4000, (count) => read(text(count))))
  }
})
