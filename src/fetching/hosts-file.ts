// Reads the machine's hosts file. c-ares does not use it for queries, but people expect it to work.
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
const READ_AGAIN_AFTER_MS = 30_000

export type HostsFile = (name: string) => Promise<readonly string[]>

export function hostsFile(path: string = HOSTS_FILE): HostsFile {
  let names: Promise<Map<string, string[]>> | null = null
  let readAt = 0
  return async (name) => {
    if (!names || performance.now() - readAt > READ_AGAIN_AFTER_MS) {
      readAt = performance.now()
      // A file that is missing or cannot be read counts as empty.
      names = readFile(path, 'utf8').then(parseHosts, () => new Map())
    }
    return (await names).get(name) ?? []
  }
}

export function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const alias of aliases.map((it) => it.toLowerCase())) names.set(alias, [...(names.get(alias) ?? []), address])
  }
  return names
}
