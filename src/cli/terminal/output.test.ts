import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandContext } from '../command-context.ts'
import { createOutput } from './output.ts'

test('with --json no character that a terminal would act on is printed raw, and the data stays the same', () => {
  let printed = ''
  const stdout = { isTTY: true, columns: 80, write: (text: string) => (printed += text) }
  const output = createOutput({ stdout, stderr: stdout, env: {}, now: () => 0 } as unknown as CommandContext, {
    json: true,
  })
  const title = 'a\u202eb\u2066c\u001b[31m\u009bd\u2028e\ud800f \u{1f600}\n\tg'
  output.list([{ title }], [], () => [], 'none')
  assert.deepEqual(JSON.parse(printed).items, [{ title }])
  assert.doesNotMatch(printed, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
  assert.match(printed, /\\u202e.*😀/)
  printed = ''
  output.answer({ title }, () => 'words')
  assert.doesNotMatch(printed, /[\u202e\u001b]/)
  assert.deepEqual(JSON.parse(printed), { title })
})

test('a sentence tells instants in local time at a terminal, and unchanged in a pipe', () => {
  const sentence = 'Not polled: it is polled next at 2026-03-04T05:06:07.890Z.'
  const told = (isTTY: boolean) => {
    const context = { stdout: { isTTY }, stderr: null, env: {}, now: () => 0 }
    return createOutput(context as unknown as CommandContext, {}).sentence(sentence)
  }
  assert.equal(told(false), sentence)
  assert.match(told(true), /^Not polled: it is polled next at 2026-03-0[345] \d\d:\d6:07\.$/)
  const written = /at (.+)\.$/.exec(told(true))?.[1] ?? ''
  assert.equal(new Date(written).getTime(), Date.parse('2026-03-04T05:06:07Z'))
})
