import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'

describe('the OpenAPI document', () => {
  let api: TestApi
  // biome-ignore lint/suspicious/noExplicitAny: a document looked at by its keys
  let document: any
  before(async () => {
    api = await startApi()
    document = (await api.ask('GET', '/openapi.json')).body
  })
  after(() => api.close())

  it('is OpenAPI 3.1, and every reference resolves', () => {
    assert.equal(document.openapi, '3.1.0')
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    assert.ok(references.length > 20)
    for (const [, name = ''] of references) assert.ok(document.components.schemas[name], name)
    assert.doesNotMatch(JSON.stringify(document), /\$defs/)
  })

  it('has the same ranges as validation', () => {
    const body = document.paths['/api/users/{user}/podcasts/{podcast}/sources'].post.requestBody
    const { properties, required, additionalProperties } = body.content['application/json'].schema
    assert.deepEqual(required, ['url'])
    assert.equal(additionalProperties, false)
    const [interval] = properties.pollIntervalMinutes.anyOf
    assert.deepEqual([interval.minimum, interval.maximum], [1, 10080])
    const query = document.paths['/api/users/{user}/podcasts/{podcast}/sources'].get.parameters
    const limit = query.find((parameter: { name: string }) => parameter.name === 'limit')
    assert.deepEqual(limit.schema, { default: 50, type: 'integer', minimum: 1, maximum: 500 })
    assert.deepEqual(query.find((parameter: { name: string }) => parameter.name === 'type').schema.type, 'string')
  })

  it('describes answers: a real source has exactly the described fields', async () => {
    const source = await api.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })
    const { properties, required } = document.components.schemas.Source
    assert.deepEqual(Object.keys(source).toSorted(), Object.keys(properties).toSorted())
    assert.deepEqual(required.toSorted(), Object.keys(properties).toSorted())
  })

  it('a body is required where leaving it out is an error, and only there', async () => {
    const podcast = '/api/users/{user}/podcasts/{podcast}'
    const isRequired = (path: string) => document.paths[path].post.requestBody.required
    assert.deepEqual([isRequired(`${podcast}/articles`), isRequired(`${podcast}/sources`)], [false, true])
    const statusOf = async (path: string) =>
      (await api.ask('POST', `/api/users/default/podcasts/default/${path}`)).status
    assert.deepEqual([await statusOf('articles'), await statusOf('sources')], [200, 400])
  })

  it('marks the routes that need no token', () => {
    assert.deepEqual(document.paths['/healthz'].get.security, [])
    assert.equal(document.paths['/api/status'].get.security, undefined)
  })

  it('is also a page for people, with commands to copy, and with no script but its own file', async () => {
    const { text, headers } = await api.ask('GET', '/docs')
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(text, /curl -X POST/)
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script type="module" src="/docs.js">'])
    assert.doesNotMatch(text, /https?:\/\/(?!127\.0\.0\.1|example\.org)[\w.]+/)
    for (const path of Object.keys(document.paths)) assert.ok(text.includes(path), path)
  })
})
