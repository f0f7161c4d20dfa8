// What the checks about redirects share: origins that redirect, and an https origin that this process trusts.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '../../../test/support/certificate.ts'
import { type Origin, startOrigin } from '../../../test/support/origin.ts'
import { rss } from '../../../test/support/product.ts'
import type { World } from '../../../test/support/world.ts'
import { inGroup } from '../check.ts'

export const check = inGroup('redirects')
export const FEED = rss([{ title: 'One' }])

export function redirect(origin: Origin, path: string, location: string, status = 302): void {
  origin.route(path, (_request, response) => response.writeHead(status, { location }).end())
}

export function twoHosts(world: World): [Origin, Origin] {
  const [one, other] = world.origins
  if (!one || !other) throw new Error('this check needs two hosts')
  return [one, other]
}

export const sameHost = (status: number) => (world: World) => {
  redirect(world.origin, '/old', '/new', status)
  world.origin.route('/new', { body: FEED })
  return `${world.origin.url}/new`
}

/** A host with its own certificate. This process trusts it until it is disposed. */
export async function startTrusted(host: string) {
  const certificate = selfSigned({ names: [host] })
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate.cert])
  const origin = await startOrigin({ host, tls: certificate })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(before)
      await origin.close()
    },
  }
}
