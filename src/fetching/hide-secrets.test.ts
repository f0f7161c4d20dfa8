import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchRequest, FetchResult } from '../ports/fetcher.ts'
import { hideSecrets } from './hide-secrets.ts'

function reasonAfter(reason: string, request: Pick<FetchRequest, 'basicAuth' | 'headers'>): string {
  const failed: FetchResult = {
    kind: 'failed',
    failure: { code: 'bad-redirect', httpStatus: 302, reason },
    url: 'u',
    trail: [],
    wireBytes: 0,
  }
  const hidden = hideSecrets(failed, request)
  return 'failure' in hidden ? hidden.failure.reason : assert.fail()
}

test('credentials are hidden in plain, encoded and header form, and in another case', () => {
  const basicAuth = 'me:p/ä+ss'
  const base64 = Buffer.from(basicAuth).toString('base64')
  for (const spelling of [
    basicAuth,
    'p/ä+ss',
    encodeURIComponent(basicAuth),
    encodeURIComponent('p/ä+ss'),
    base64,
    base64.toLowerCase(),
  ]) {
    assert.equal(reasonAfter(`back to http://h/?${spelling}&x`, { basicAuth }), 'back to http://h/?***&x')
  }
})

test('the key in a header is hidden; other words stay', () => {
  const headers = { authorization: 'Bearer k.(e)y*1' }
  assert.equal(reasonAfter('no k.(e)y*1 here, bearer', { headers }), 'no *** here, bearer')
  assert.equal(reasonAfter('nothing in a line', { basicAuth: 'me:a' }), 'nothing in a line')
  assert.equal(reasonAfter('nothing', {}), 'nothing')
})
