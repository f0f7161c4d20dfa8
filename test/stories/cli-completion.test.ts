// Shell completion: the scripts as a shell runs them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { openShell } from '../support/run-cli.ts'

test('in bash, commands, subcommands, options and their values are completed', async () => {
  using shell = openShell()
  const { out } = await shell.tidings('completion', 'bash', '--help')
  assert.match(out, /source <\(tidings completion bash\)/)
  const script = (await shell.tidings('--data', shell.folder, 'completion', 'bash')).out
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const asked = `${script}\nCOMP_WORDS=(tidings ${typed}); COMP_CWORD=${words.length}; _tidings; echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim().split(' ')
  }
  assert.deepEqual(complete('po').toSorted(), ['podcast', 'poll', 'polls', 'posts'])
  assert.deepEqual(complete('token', ''), ['create', 'list', 'revoke'])
  assert.deepEqual(complete('token', 'create', '--ad'), ['--admin'])
  assert.deepEqual(complete('export', '--format', ''), ['opml', 'json'])
  assert.deepEqual(complete('--data', '/tmp', 'edi'), ['edit'])
})

test('zsh and fish get a script too; another shell is bad usage', async () => {
  using shell = openShell()
  const script = async (name: string) => (await shell.tidings('--data', shell.folder, 'completion', name)).out
  assert.match(await script('zsh'), /^#compdef tidings\n[\s\S]*"token create"\) choices="[^"]*--admin/)
  const fish = await script('fish')
  assert.match(fish, /-n '__fish_use_subcommand' -f -a restore -d/)
  assert.match(fish, /-n '__fish_seen_subcommand_from export' -l format -x -a 'opml json'/)
  const other = await shell.tidings('--data', shell.folder, 'completion', 'tcsh')
  assert.deepEqual([other.code, /Allowed choices are bash, zsh, fish/.test(other.err)], [2, true])
})
