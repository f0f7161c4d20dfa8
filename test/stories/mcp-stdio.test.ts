// `tidings mcp` as an AI client starts it: a program that speaks the protocol on its standard input and output.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { connectMcp } from '../support/mcp-client.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openShell } from '../support/run-cli.ts'
import { runProcess, startServe } from '../support/serve-process.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))
const ENV = { PATH: process.env.PATH ?? '', APP_HTTP_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' }

function mcpProgram(...args: string[]) {
  return new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp', ...args],
    env: ENV,
    stderr: 'pipe',
  })
}

test('an AI client works on the local store, and goes on through a serve that starts meanwhile', async () => {
  await using origin = await startOrigin()
  const items = [{ title: 'Storm', guid: 'g1', publishedAt: Date.now() - 1000 }]
  origin.route('/feed', { contentType: 'application/rss+xml', body: rss(items) })
  using shell = openShell()
  await using mcp = await connectMcp(mcpProgram('--write', '--data', shell.folder))
  const added = await mcp.call('add_source', { url: `${origin.url}/feed`, type: 'rss', backfillDays: 7 })
  assert.ok(!added.isError, added.text)
  const polled = await mcp.call('poll_source', { source: added.answer.source.id })
  assert.equal(polled.answer.poll?.created, 1, polled.text)
  const found = await mcp.call('search_posts', { query: 'storm' })
  assert.deepEqual(
    found.answer.items.map(({ title }: { title: string }) => title),
    ['Storm'],
  )
  // The store is given back between requests.
  let serve: Awaited<ReturnType<typeof startServe>> | undefined
  for (let tries = 0; serve === undefined && tries < 20; tries++) {
    serve = await startServe(shell.folder, [], ENV).catch(() => undefined)
  }
  assert.ok(serve, 'serve starts while the client stays')
  await using running = serve
  assert.equal((await mcp.call('status')).answer.scheduler.running, true)
  running.process.kill('SIGTERM')
  await running.ended
  assert.equal((await mcp.call('status')).answer.scheduler.running, false)
})

test('what is sent before the input ends is answered, on stdout there is nothing else, and the program ends', async () => {
  using shell = openShell()
  const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--data', shell.folder], { env: ENV, stdio: 'pipe' })
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  child.stdin.end(
    request(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }) + request(2, 'tools/call', { name: 'status', arguments: {} }),
  )
  assert.deepEqual(await once(child, 'close'), [0, null])
  const ids = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  assert.deepEqual(ids.toSorted(), [1, 2])
})

test('a server that cannot be reached is a tool error, and bad usage ends the program before it speaks', async () => {
  await using mcp = await connectMcp(mcpProgram('--server', 'http://127.0.0.1:9'))
  const { isError, text } = await mcp.call('status')
  assert.ok(isError)
  assert.match(text, /Cannot reach http:\/\/127\.0\.0\.1:9.*\nTry again in a moment/)
  const { code, out } = await runProcess(['mcp', '--no-such-option'])
  assert.deepEqual([code, out], [2, ''])
})
