import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '../../config.ts'
import { startupNotice } from './startup-notice.ts'

const config = configFrom({ server: { auth: 'required' } })
const notice = (options: { config?: string; data?: string; database?: string }) =>
  startupNotice({ url: 'http://127.0.0.1:8085', config, version: '1.0.0', options })

test('the hints name the store that serve was given, so that they act on the same one', () => {
  const text = notice({ data: '/var/lib/tidings', config: 'my config.yaml' })
  const same = "--config 'my config.yaml' --data /var/lib/tidings"
  assert.ok(text.includes(`npx tidings add https://example.org/ ${same} `), text)
  assert.ok(text.includes(`npx tidings list ${same} `))
  assert.ok(text.includes(`npx tidings token create --user default --admin ${same}\n`))
})

test('without options the hints have none, and a password is never printed', () => {
  assert.match(notice({}), /^ {2}npx tidings list {2,}show sources/m)
  assert.doesNotMatch(notice({ database: 'postgres://me:hush@db/tidings' }), /hush/)
})
