import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { createAddressGuard } from './address-guard.ts'

const refusesAll = createAddressGuard([])

test('addresses of the public internet are allowed', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::5',
  ])
    assert.equal(refusesAll(address, 443, false), null, address)
})

test('every other address is refused with the name of its range', () => {
  const refused: Readonly<Record<string, RegExp>> = {
    '0.0.0.0': /"this network"/,
    '0.1.2.3': /"this network"/,
    '10.1.2.3': /a private address/,
    '172.16.0.1': /a private address/,
    '172.31.255.255': /a private address/,
    '192.168.1.1': /a private address/,
    '100.64.0.1': /carrier-grade NAT/,
    '100.127.255.255': /carrier-grade NAT/,
    '127.0.0.1': /a loopback address/,
    '127.255.255.254': /a loopback address/,
    '169.254.1.1': /a link-local address/,
    '169.254.169.254': /a cloud metadata address/,
    '169.254.170.2': /a cloud metadata address/,
    '100.100.100.200': /a cloud metadata address/,
    'fd00:ec2::254': /a cloud metadata address/,
    '192.0.2.1': /a documentation address/,
    '198.51.100.1': /a documentation address/,
    '203.0.113.1': /a documentation address/,
    '198.18.0.1': /a benchmarking address/,
    '198.19.255.255': /a benchmarking address/,
    '224.0.0.1': /a multicast address/,
    '239.255.255.255': /a multicast address/,
    '240.0.0.1': /a reserved address/,
    '255.255.255.255': /the broadcast address/,
    '::': /the unspecified address/,
    '::1': /a loopback address/,
    '0:0:0:0:0:0:0:1': /a loopback address/,
    '::ffff:127.0.0.1': /IPv4-mapped address that holds 127\.0\.0\.1, a loopback address/,
    '::ffff:7f00:1': /IPv4-mapped address that holds 127\.0\.0\.1/,
    '::ffff:8.8.8.8': /IPv4-mapped/,
    '::ffff:169.254.169.254': /holds 169\.254\.169\.254, a cloud metadata address/,
    '::7f00:1': /IPv4-compatible address that holds 127\.0\.0\.1/,
    '64:ff9b::10.0.0.1': /NAT64 address that holds 10\.0\.0\.1, a private address/,
    '64:ff9b::808:808': /a NAT64 address/,
    '64:ff9b:1::1': /a local NAT64 address/,
    '2002:7f00:1::': /6to4 address that holds 127\.0\.0\.1, a loopback address/,
    '2002:a9fe:a9fe::1': /6to4 address that holds 169\.254\.169\.254/,
    '2001:0:4136:e378:8000:63bf:3fff:fdd2': /a Teredo address/,
    '2001:0:0:0:0:0:f5ff:fffe': /Teredo address that holds 10\.0\.0\.1, a private address/,
    '2001:db8::1': /a documentation address/,
    '100::1': /a discard-only address/,
    'fc00::1': /a unique-local address/,
    'fdff::1': /a unique-local address/,
    'fe80::1': /a link-local address/,
    'fe80::1%eth0': /a link-local address/,
    'febf::1': /a link-local address/,
    'fec0::1': /a site-local address/,
    'ff02::1': /a multicast address/,
    '4000::1': /a reserved address/,
  }
  for (const [address, name] of Object.entries(refused)) {
    const reason = refusesAll(address, 80, true)
    assert.match(reason ?? 'allowed', name, address)
    assert.ok(reason?.startsWith(address), `${address} is named`)
    assert.match(reason ?? '', /app\.http\.allow-private-networks/)
  }
})

test('where an address leads, only those listed networks count that the address itself lies in', () => {
  const guard = createAddressGuard(['10.0.0.0/8', '127.0.0.0/8', 'fd00::/8'])
  const hop = (to: string, ...typed: string[]) => guard(to, 80, { typed })
  assert.equal(hop('10.1.2.3', '10.9.9.9'), null)
  assert.equal(hop('10.1.2.3', '203.0.113.5', '10.9.9.9'), null)
  assert.equal(hop('93.184.216.34', '10.9.9.9'), null)
  assert.match(hop('10.1.2.3', '93.184.216.34') ?? '', /does not apply to where another address leads/)
  assert.match(hop('10.1.2.3', '127.0.0.1') ?? '', /does not apply to where another address leads/)
  assert.match(hop('fd00::1', '10.1.2.3') ?? '', /does not apply/)
  assert.match(hop('10.1.2.3') ?? '', /does not apply/)
  assert.match(hop('::ffff:10.1.2.3', '93.184.216.34') ?? '', /does not apply/)
  assert.equal(hop('::ffff:10.1.2.3', '10.9.9.9'), null)
  assert.match(hop('192.168.0.1', '10.9.9.9') ?? '', /refused unless/)
})

test('a listed network is allowed for trusted requests only', () => {
  const guard = createAddressGuard(['192.168.0.0/16', 'fd12::/16', '127.0.0.1'])
  assert.equal(guard('192.168.7.7', 80, true), null)
  assert.equal(guard('::ffff:192.168.7.7', 80, true), null)
  assert.equal(guard('fd12::5', 80, true), null)
  assert.equal(guard('127.0.0.1', 80, true), null)
  assert.match(guard('192.168.7.7', 80, false) ?? '', /only to sources created with admin rights/)
  assert.match(guard('127.0.0.2', 80, true) ?? '', /refused unless/)
  assert.match(guard('10.0.0.1', 80, true) ?? '', /refused unless/)
  assert.match(guard('fd13::5', 80, true) ?? '', /refused unless/)
})

test('listing a tunnel does not allow the private network behind it', () => {
  const guard = createAddressGuard(['64:ff9b::/96', '2002::/16'])
  assert.equal(guard('64:ff9b::8.8.8.8', 80, true), null)
  assert.match(guard('64:ff9b::127.0.0.1', 80, true) ?? '', /loopback/)
  assert.match(guard('2002:a00:1::', 80, true) ?? '', /private/)
})

test('the address that Tidings listens on is refused even when listed', () => {
  const own = [{ address: '127.0.0.1', port: 8085 }]
  const guard = createAddressGuard(['0.0.0.0/0', '::/0'], () => own)
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0'])
    assert.match(guard(address, 8085, true) ?? 'allowed', /Tidings itself listens/, address)
  assert.equal(guard('127.0.0.1', 8086, true), null)
  assert.equal(guard('127.0.0.2', 8085, true), null)
})

test('listening on all addresses refuses that port on every address of the machine', () => {
  for (const address of ['0.0.0.0', '::']) {
    const guard = createAddressGuard(['0.0.0.0/0', '::/0'], () => [{ address, port: 8085 }])
    const local = Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => entry.address))
    for (const target of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::', ...local])
      assert.match(guard(target, 8085, true) ?? 'allowed', /itself listens/, `${target} while listening on ${address}`)
    assert.equal(guard('203.0.113.9', 8085, true), null)
  }
})

test('an invalid network throws an error that names the configuration key', () => {
  for (const text of ['home', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0/8', '::/129', '10.0.0.0/-1'])
    assert.throws(() => createAddressGuard([text]), /allow-private-networks: not a network/, text)
})
