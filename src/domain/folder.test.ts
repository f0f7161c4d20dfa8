import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { folderNames, folderOf } from './folder.ts'

test('names of folders come back as they were, with slashes and backslashes', () => {
  const name = fc
    .oneof(fc.string({ minLength: 1 }), fc.constantFrom('a/b', '\\', '/', 'c\\/d', 'e\\'))
    .map((text) => text.trim())
  fc.assert(
    fc.property(
      fc.array(
        name.filter((text) => text !== ''),
        { maxLength: 4 },
      ),
      (names) => {
        assert.deepEqual(folderNames(folderOf(names)), names)
      },
    ),
  )
})

test('what a person types is read as folders, and blank names are none', () => {
  assert.deepEqual(folderNames(' Tech / Linux '), ['Tech', 'Linux'])
  assert.deepEqual(folderNames('//a//'), ['a'])
  assert.deepEqual(folderNames(null), [])
  assert.equal(folderOf(['', ' ']), null)
})
