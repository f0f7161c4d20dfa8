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
