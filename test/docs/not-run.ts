// What cannot be run here is looked at: the files that it names exist, and npm has the script. Nothing else is accepted.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './pages.ts'
import type { Called, Ended } from './world.ts'

const SCRIPTS: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts

/** Programs that change the machine or need another one, and why a test leaves them alone. */
const LEFT_ALONE: Readonly<Record<string, string>> = {
  git: 'it would need the network',
  docker: 'it needs a daemon, and images from the network',
  kubectl: 'it needs a cluster',
  systemctl: 'it changes the machine',
  sudo: 'it changes the machine',
  pg_dump: 'it needs the client programs of PostgreSQL',
  pg_restore: 'it needs the client programs of PostgreSQL',
  claude: 'it is another program',
}

export async function lookAt({ name, args }: Called): Promise<Ended> {
  if (name === 'npm') return ended(npmProblem(args))
  if (name in LEFT_ALONE) return ended(missingFile(args))
  return ended(`nobody knows what ${name} does here`)
}

/** Every run of the tests has installed before; a script only has to exist. */
function npmProblem(args: readonly string[]): string | null {
  const [command = '', script = ''] = args
  if (['install', 'ci', 'test', 'pack'].includes(command)) return null
  if (command === 'run' && script in SCRIPTS) return null
  return `npm has no such command or script: ${args.join(' ')}`
}

function missingFile(args: readonly string[]): string | null {
  const named = args.filter((arg) => /^(deploy|docs|examples|bin)\//.test(arg))
  const missing = named.filter((path) => !existsSync(join(ROOT, path)))
  return missing.length === 0 ? null : `there is no ${missing.join(', ')}`
}

function ended(problem: string | null): Ended {
  return { code: problem === null ? 0 : 1, out: '', err: problem ?? '' }
}
