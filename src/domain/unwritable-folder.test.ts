import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unwritableRemedy } from './unwritable-folder.ts'

test('errors of the system and of SQLite that mean "not writable" have a remedy, others have none', () => {
  for (const code of ['EACCES', 'EPERM', 'EROFS']) assert.match(unwritableRemedy({ code }) ?? '', /--data/)
  // SQLITE_READONLY, SQLITE_READONLY_DIRECTORY, SQLITE_CANTOPEN
  for (const errcode of [8, 1544, 14]) assert.match(unwritableRemedy({ errcode }) ?? '', /--data/)
  for (const error of [{ code: 'ENOENT' }, { errcode: 13 }, new Error('x')]) assert.equal(unwritableRemedy(error), null)
})
