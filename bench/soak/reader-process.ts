// Programs that read from the API, in a process of their own, so that they wait neither for the feeds nor for the
// listeners. argv: the URL and the requests in a second. Each message asks for what was measured since the one before.
import { Readers } from './readers.ts'

const [url = '', rate = '1'] = process.argv.slice(2)
const readers = new Readers(url, Number(rate))
void readers.read()
process.on('message', () => process.send?.(readers.take()))
process.on('disconnect', () => process.exit())
