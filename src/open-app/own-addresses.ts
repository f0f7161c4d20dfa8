// The addresses that the API of this configuration listens on. Nothing may be polled there.
import { lookup } from 'node:dns/promises'
import type { Config } from '../ports/config.ts'

export async function addressesOf({ host, port }: Config['server']): Promise<{ address: string; port: number }[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => ({ address, port }))
}

export function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}
