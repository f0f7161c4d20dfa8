// npm run licences: lists every package that an installed Tidings brings, with its licence, from package-lock.json.
import { readFileSync } from 'node:fs'

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const packages = Object.entries(lock.packages as Readonly<Record<string, Locked>>)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { version, license }]) => ({
    name: `${path.split('node_modules/').at(-1)}@${version}`,
    licence: license ?? 'not stated',
  }))
  .sort((a, b) => a.name.localeCompare(b.name))

for (const { name, licence } of packages) process.stdout.write(`${licence.padEnd(16)} ${name}\n`)
process.stdout.write(`${packages.length} packages\n`)
