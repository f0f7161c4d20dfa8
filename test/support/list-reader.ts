// Reads lists in the test's own thread: no worker has to be closed.
import type { Documents } from '../../src/ports/documents.ts'
import { readList } from '../../src/sources/list/read-list.ts'

export const listReader: Pick<Documents, 'readList'> = {
  readList: async (list, mostRows) => ({ ok: true, value: readList(list, mostRows) }),
}
