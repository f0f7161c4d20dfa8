import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNameServer, type Zone } from '../../test/support/name-server.ts'
import { FetchFailure } from './failure.ts'
import { parseHosts } from './hosts-file.ts'
import { createNameLookup } from './name-lookup.ts'

const noHosts = async () => []

async function asking(zone: Zone) {
  const server = await startNameServer(zone)
  const names = createNameLookup({ servers: [server.address], hosts: noHosts })
  return {
    server,
    names,
    [Symbol.asyncDispose]: async () => {
      names.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const codeOf = (error: unknown) => (error instanceof FetchFailure ? error.failure.code : error)

test('both address families are queried, and IPv4 comes first', async () => {
  await using dns = await asking(() => ({ addresses: ['2001:db8::1', '192.0.2.1', '192.0.2.2'] }))
  assert.deepEqual(await dns.names.addressesOf('feeds.example.org'), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  assert.deepEqual([...dns.server.questions].sort(), ['feeds.example.org A', 'feeds.example.org AAAA'])
})

test('a result is cached, and one query serves all concurrent callers', async () => {
  await using dns = await asking(() => ({ addresses: ['192.0.2.1'] }))
  await Promise.all([dns.names.addressesOf('a.example'), dns.names.addressesOf('A.example.')])
  await dns.names.addressesOf('a.example')
  assert.equal(dns.server.questions.length, 2)
})

test('a name that does not exist or has no address fails as dns-not-found, a failing name server as dns-failed', async () => {
  await using dns = await asking((name) => {
    if (name === 'gone.example') return 'nxdomain'
    return name === 'bare.example' ? { addresses: [] } : 'servfail'
  })
  await assert.rejects(dns.names.addressesOf('gone.example'), (error) => codeOf(error) === 'dns-not-found')
  await assert.rejects(dns.names.addressesOf('bare.example'), (error) => codeOf(error) === 'dns-not-found')
  await assert.rejects(dns.names.addressesOf('sick.example'), (error) => codeOf(error) === 'dns-failed')
})

test('one address family is enough when the other fails or does not answer', async () => {
  await using dns = await asking((name, type) => {
    if (type === 1) return { addresses: ['192.0.2.1'] }
    return name === 'silent.example' ? 'silence' : 'servfail'
  })
  assert.deepEqual(await dns.names.addressesOf('failing.example'), ['192.0.2.1'])
  assert.deepEqual(await dns.names.addressesOf('silent.example'), ['192.0.2.1'])
})

test('many names with a silent server do not delay a name whose server answers', async () => {
  await using dns = await asking((name) => (name.startsWith('slow') ? 'silence' : { addresses: ['192.0.2.1'] }))
  const slow = Array.from({ length: 50 }, (_, index) => dns.names.addressesOf(`slow${index}.example`).catch(codeOf))
  assert.deepEqual(await dns.names.addressesOf('quick.example'), ['192.0.2.1'])
  assert.equal(await Promise.race([slow[0], 'still waiting']), 'still waiting')
  dns.names.close()
  await Promise.all(slow)
})

test('the hosts file, localhost and .invalid need no name server', async () => {
  await using server = await startNameServer(() => 'servfail')
  const hosts = parseHosts(
    '127.0.0.9 nas.example NAS # the box\n# 10.0.0.1 off.example\nfd00::9 nas.example\nbroken line\n',
  )
  const names = createNameLookup({ servers: [server.address], hosts: async (name) => hosts.get(name) ?? [] })
  assert.deepEqual(await names.addressesOf('nas.example'), ['127.0.0.9', 'fd00::9'])
  assert.deepEqual(await names.addressesOf('nas'), ['127.0.0.9'])
  assert.deepEqual(await names.addressesOf('localhost'), ['127.0.0.1', '::1'])
  assert.deepEqual(await names.addressesOf('api.localhost'), ['127.0.0.1', '::1'])
  await assert.rejects(names.addressesOf('nothing.invalid'), (error) => codeOf(error) === 'dns-not-found')
  assert.equal(server.questions.length, 0)
  names.close()
})
