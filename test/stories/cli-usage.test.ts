// What a person sees who types something wrong, or asks for help.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { openShell } from '../support/run-cli.ts'

const WRONG: readonly (readonly [typed: string, complaint: RegExp])[] = [
  ['lst', /unknown command 'lst'\n\(Did you mean list\?\)\nSee: tidings --help\n$/],
  ['add', /missing required argument 'url'\nSee: tidings add --help\n$/],
  ['list --helth ok', /unknown option '--helth'\n\(Did you mean --health\?\)\nSee: tidings list --help\n$/],
  ['list --health faling', /Allowed choices are .+\.\n\(Did you mean failing\?\)\nSee: tidings list --help\n$/],
  ['list --health xyzzy', /Allowed choices are .+\.\nSee: tidings list --help\n$/],
  ['notifier create ntfi x', /\(Did you mean ntfy\?\)\nSee: tidings notifier create --help\n$/],
  ['articles dune 1', /unknown command 'dune'\n\(Did you mean done\?\)\nSee: tidings articles --help\n$/],
  ['posts --since yesterdy', /'yesterdy' is invalid\. expected an instant such as .+, or how long ago: 30m, 2h/],
]

for (const [typed, complaint] of WRONG) {
  test(`"tidings ${typed}" is bad usage, with what to do instead`, async () => {
    using shell = openShell()
    const { code, out, err } = await shell.tidings(...typed.split(' '))
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, complaint)
  })
}

test('a value that the API refuses is reported under the option that gave it', async () => {
  using shell = openShell()
  await shell.tidingsWith('https://a.example/feed', 'import', '-')
  const { code, err } = await shell.tidings('edit', 'https://a.example/feed', '--interval', '99999', '--delay', '9999')
  assert.equal(code, 2)
  assert.match(err, /--interval: expected a whole number from 1 to 10080, got 99999/)
  assert.match(err, /--delay: expected a whole number from 0 to 3600, got 9999/)
})

test('an address that is already there is refused in one sentence', async () => {
  using shell = openShell()
  await shell.tidingsWith('https://a.example/feed', 'import', '-')
  const again = await shell.tidings('add', 'https://a.example/feed', '--type', 'rss', '--no-validate')
  assert.equal(again.code, 1)
  assert.match(again.err, /^You already follow this address: .+\n$/)
})

test('if https was only supposed and the server has none, add and preview say what to type', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  for (const command of ['add', 'preview']) {
    const supposed = await shell.tidings(command, `${new URL(origin.url).host}/feed`)
    assert.equal(supposed.code, 1, supposed.err)
    assert.match(supposed.err, /\nIf the server has no https, type http:\/\/ in front of the address\.\n$/)
    const said = await shell.tidings(command, `${origin.url.replace('http:', 'https:')}/feed`)
    assert.doesNotMatch(said.err, /http:\/\/ in front/)
  }
})

test('status says that nothing polls, once there is something to poll', async () => {
  using shell = openShell()
  assert.doesNotMatch((await shell.tidings('status')).out, /Nothing polls/)
  await shell.tidingsWith('https://a.example/feed', 'import', '-')
  const { out } = await shell.tidings('status')
  assert.match(out, /\nNothing polls on schedule\. Start it with: tidings serve\n/)
  assert.match(out, /\nscheduler running +no\n/)
})

test('every help fits 80 columns, and common options stand after those of the command', async () => {
  let out = ''
  using shell = openShell({ stdout: { write: (text) => (out += text), columns: 80 } })
  await shell.tidings('--help')
  const commands = [...out.matchAll(/^ {2}([a-z-]+) /gm)]
    .map(([, name = '']) => [name])
    .filter(([name]) => name !== 'help')
  assert.ok(commands.length > 30)
  const tooLong: string[] = []
  for (const command of commands) {
    out = ''
    await shell.tidings(...command, '--help')
    const subcommands = /\nCommands:\n([\s\S]+?)\n\n|\nCommands:\n([\s\S]+)$/.exec(out)?.[0] ?? ''
    for (const [, name = ''] of subcommands.matchAll(/^ {2}([a-z]+) /gm)) {
      if (name !== 'help' && command.length === 1) commands.push([...command, name])
    }
    tooLong.push(...out.split('\n').filter((line) => line.length > 80))
    const common = out.indexOf('Common options:')
    if (common >= 0) assert.ok(out.indexOf('--help  ') < common, command.join(' '))
  }
  assert.deepEqual(tooLong, [])
  assert.ok(commands.some((command) => command.join(' ') === 'token create'))
})
