// A rotation of the master key in a process of its own that is killed, as by a power cut, after so many secrets.
// Arguments: data folder, how many, and for a configured key the old and the new one in base64.
import { join } from 'node:path'
import { rotateMasterKey } from '../../src/secrets/rotate-master-key.ts'
import { openStore } from '../../src/storage/open-store.ts'

const [dataDir = '', count = '', masterKey = null, newKey = ''] = process.argv.slice(2)
const store = await openStore(`file:${join(dataDir, 'tidings.db')}`)
let left = Number(count)
const dieWhenDone = () => {
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}
const dying: typeof store = {
  ...store,
  async secretsNotUnder(...asked) {
    const rows = await store.secretsNotUnder(...asked)
    if (left === 0) dieWhenDone()
    return rows
  },
  async resealSecret(...row) {
    dieWhenDone()
    return store.resealSecret(...row)
  },
}
await rotateMasterKey(dying, { masterKey, engine: 'sqlite', dataDir }, async () => Buffer.from(newKey, 'base64'))
throw new Error('it was to be killed before its end')
