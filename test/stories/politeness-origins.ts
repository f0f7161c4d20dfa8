// Many hosts with a large feed each, in a process of its own, so that what is measured is the product alone.
// Every request is given another edition. Tells its parent the URLs when all of them listen.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const HOSTS = 64
const ENTRIES = 200
const PARAGRAPH = 'Some words of a paragraph that a large feed carries in full, markup and all. '

/** What stands between the numbers of an edition. */
function feed(host: number): string[] {
  const items = Array.from({ length: ENTRIES }, (_, entry) => {
    const name = `${host}-#-${entry}`
    const body = `&lt;p&gt;${name} ${PARAGRAPH.repeat(65)}&lt;/p&gt;`
    return `<item><title>Entry ${name}</title><guid>${name}</guid><description>${body}</description></item>`
  })
  return `<rss version="2.0"><channel><title>Host ${host}</title>${items.join('')}</channel></rss>`.split('#')
}

async function listen(host: number): Promise<string> {
  const parts = feed(host)
  let asked = 0
  const server = createServer((_request, response) => response.end(parts.join(String(asked++))))
  await new Promise<void>((resolve) => server.listen(0, `127.0.6.${host + 1}`, resolve))
  const { address, port } = server.address() as AddressInfo
  return `http://${address}:${port}/feed`
}

const urls = await Promise.all(Array.from({ length: HOSTS }, (_, host) => listen(host)))
process.send?.(urls)
process.once('disconnect', () => process.exit())
