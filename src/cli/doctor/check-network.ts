// Checks of the way in and out: the port that serve listens on, and a proxy.
import { connect } from 'node:net'
import type { Config } from '../../ports/config.ts'
import { type Finding, failed, passed } from './finding.ts'

const CONNECT_MS = 1000
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

/** A port in use is told, but is no failure: the program there may be another tidings serve. */
export async function checkPort({ host, port }: Config['server'], isServing: boolean): Promise<Finding> {
  if (isServing) return passed('port', 'tidings serve of this store answers')
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  if (port === 0 || !(await isOpen(address, port))) return passed('port', `${port} is free`)
  return passed('port', `${port} is used by another program: start serve with another --port (app.server.port)`)
}

export async function checkProxy(
  { proxy }: Config['http'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const ignored = PROXY_VARIABLES.filter((name) => env[name] || env[name.toLowerCase()])
  if (proxy === null) {
    const found = ignored.length === 0 ? 'none' : `none; ${ignored.join(', ')} of the environment is not used`
    return passed(
      'proxy',
      ignored.length === 0 ? found : `${found}. If requests must go through it, set app.http.proxy`,
    )
  }
  const { hostname, port, protocol } = new URL(proxy)
  const name = hostname.replace(/^\[|\]$/g, '')
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  if (await isOpen(name, number)) return passed('proxy', `${hostname}:${number} answers`)
  return failed('proxy', `nothing answers at ${hostname}:${number}`, 'Start the proxy, or correct app.http.proxy.')
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false))
  })
}
