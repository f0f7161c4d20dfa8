import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApi } from '../../../test/support/api.ts'

test('/docs has tables of fields, examples and a form for every path, and no script inside the page', async () => {
  await using api = await startApi()
  const { status, text, headers } = await api.ask('GET', '/docs')
  assert.equal(status, 200)
  assert.match(String(headers['content-security-policy']), /script-src 'self'/)
  assert.doesNotMatch(text, /<script(?! type="module" src="\/docs\.js">)|\son\w+="|"additionalProperties"|"\$ref"/)
  const { paths } = (await api.ask('GET', '/openapi.json')).body
  const operations = Object.values(paths as Record<string, object>).flatMap((byMethod) => Object.keys(byMethod))
  assert.equal(text.match(/<form class="try"/g)?.length, operations.length)
  assert.match(text, /<td><code>pollIntervalMinutes<\/code><\/td><td>[^<]*integer 1 to 10080/)
  assert.match(
    text,
    /<textarea name="body" rows="6">\{\s*&#34;url&#34;: &#34;https:\/\/example\.org\/feed\.xml&#34;\s*\}/,
  )
  for (const [, name] of text.matchAll(/href="#(schema-\w+)"/g)) assert.ok(text.includes(`id="${name}"`), name)
  const script = await api.ask('GET', '/docs.js')
  assert.match(String(script.headers['content-type']), /^text\/javascript/)
  // It must at least parse.
  assert.doesNotThrow(() => new Function(script.text))
})
