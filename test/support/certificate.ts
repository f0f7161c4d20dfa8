// Self-made X.509 certificates for TLS tests, written as DER by hand: no tool, no key in the repository, no expiry to renew.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

export interface CertificateOptions {
  /** DNS names and IPv4 addresses it is for. */
  readonly names: readonly string[]
  readonly notBefore?: Date
  readonly notAfter?: Date
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

const DAY_MS = 86_400_000

export function selfSigned({ names, notBefore, notAfter }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const commonName = sequence(set(sequence(oid('550403'), tlv(0x0c, Buffer.from(names[0] ?? 'test')))))
  const validity = sequence(
    time(notBefore ?? new Date(Date.now() - DAY_MS)),
    time(notAfter ?? new Date(Date.now() + DAY_MS)),
  )
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName,
    validity,
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(basicConstraints(), alternativeNames(names))),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const der = sequence(body, ecdsaWithSha256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(der) }
}

function basicConstraints(): Buffer {
  return sequence(oid('551d13'), tlv(0x01, Buffer.from([0xff])), octets(sequence(tlv(0x01, Buffer.from([0xff])))))
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    /^[\d.]+$/.test(name) ? tlv(0x87, Buffer.from(name.split('.').map(Number))) : tlv(0x82, Buffer.from(name)),
  )
  return sequence(oid('551d11'), octets(sequence(...entries)))
}

function tlv(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => tlv(0x30, Buffer.concat(parts))
const set = (...parts: Uint8Array[]) => tlv(0x31, Buffer.concat(parts))
const octets = (content: Uint8Array) => tlv(0x04, content)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const time = (at: Date) => tlv(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
