// Imports point inwards. Reads every import of src/ and fails on one that points elsewhere.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

const INNER = ['domain', 'ports']
const EVERYWHERE = [...INNER, 'config', 'log', 'version']
const ADAPTERS = ['fetching', 'sources', 'storage', 'secrets', 'workers', 'metrics', 'announce']

/** What each room may import, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  log: ['ports'],
  config: [...INNER, 'log', 'database-url'],
  polling: INNER,
  ...Object.fromEntries(ADAPTERS.map((room) => [room, INNER])),
  catalogue: [...INNER, 'loaded-later'],
  storage: [...INNER, 'make-folder', 'database-url', 'packed-text', 'loaded-later'],
  // The readers that workers run are pure.
  workers: [...INNER, 'sources'],
  // Tools for AI clients: they ask the REST API, and know its shapes.
  mcp: [...INNER, 'catalogue'],
  // Both know polling by its port only.
  api: [...EVERYWHERE, 'catalogue', 'mcp'],
  cli: [...EVERYWHERE, 'catalogue', 'mcp', 'make-folder', 'store-lock'],
  version: [],
  'make-folder': [],
  'store-lock': ['domain', 'make-folder'],
  'database-url': [],
  'loaded-later': [],
  'packed-text': [],
  'system-clock': INNER,
  app: [...EVERYWHERE, 'polling', 'catalogue', ...ADAPTERS, 'system-clock', 'loaded-later'],
  index: [...EVERYWHERE, 'catalogue', 'sources', 'app', 'store-lock', 'database-url'],
  'open-app': [...EVERYWHERE, 'secrets', 'api', 'cli', 'app'],
  main: ['cli', 'open-app', 'version'],
}

/** Folders at the bottom of their room, and what they may import of that room besides themselves. */
const BOTTOM_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'storage/database': [],
  'sources/text': [],
  'sources/html': ['sources/text'],
}

/** Where a program, a thread or a script of this repository begins. */
const ENTRIES = ['main.ts', 'index.ts', 'workers/document-worker.ts', 'config/keys-table.ts']

/** Rooms whose rules know no machine. The catalogue judges input by zod schemas, and makes ids, hashes and pauses. */
const OUTSIDE_ALLOWED: Readonly<Record<string, RegExp>> = {
  domain: /^$/,
  polling: /^$/,
  catalogue: /^(zod|htmlparser2|node:crypto|node:timers\/promises)$/,
  ports: /^$/,
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

interface Module {
  readonly name: string
  readonly room: string
  readonly code: string
  readonly imports: readonly string[]
}

function roomOf(path: string): string {
  const [first = ''] = path.split(/[\\/]/)
  return first.replace(/\.ts$/, '')
}

const MODULES: readonly Module[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => {
    const code = readFileSync(join(SRC, name), 'utf8')
    const imports = [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '')
    return { name, room: roomOf(name), code, imports }
  })

/** What a module imports of the source itself, by name. */
function neighboursOf({ name, imports }: Module): string[] {
  return imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(SRC, join(SRC, dirname(name), specifier)))
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

function offenders(find: (module: Module) => readonly string[]): string[] {
  return MODULES.flatMap((module) => find(module).map((what) => `${module.name}: ${what}`))
}

test('the imports of the whole source are read', () => {
  assert.ok(MODULES.length > 30)
  const log = MODULES.find(({ name }) => name === 'log.ts')
  assert.ok(log?.imports.includes('pino') && log.imports.includes('./log/escape.ts'))
})

test('every room has rules, and every rule is about a room that exists', () => {
  const rooms = new Set(MODULES.map(({ room }) => room))
  const listed = [...Object.keys(MAY_IMPORT), ...Object.values(MAY_IMPORT).flat(), ...Object.keys(OUTSIDE_ALLOWED)]
  assert.deepEqual([...new Set(listed)].toSorted(), [...rooms].toSorted())
})

test('imports point inwards: domain <- ports <- story and adapters <- api, cli <- app <- main, index', () => {
  const wrong = offenders((module) =>
    neighboursOf(module)
      .filter((target) => roomOf(target) !== module.room && !MAY_IMPORT[module.room]?.includes(roomOf(target)))
      .map((target) => `must not import ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('folders at the bottom of a room know nothing above them', () => {
  const folders = new Set(MODULES.map(({ name }) => dirname(name)))
  assert.deepEqual(
    Object.keys(BOTTOM_FOLDERS).filter((folder) => !folders.has(folder)),
    [],
    'every rule is about a folder that exists',
  )
  const wrong = offenders((module) => {
    const allowed = BOTTOM_FOLDERS[dirname(module.name)]
    if (!allowed) return []
    return neighboursOf(module)
      .filter((target) => roomOf(target) === module.room)
      .filter((target) => ![dirname(module.name), ...allowed].includes(dirname(target)))
      .map((target) => `must not import ${target}`)
  })
  assert.deepEqual(wrong, [])
})

test('nothing ships that only tests use: every module is reached from an entry', () => {
  const byName = new Map(MODULES.map((module) => [module.name, module]))
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const module = byName.get(name)
    if (!module || reached.has(name)) return
    reached.add(name)
    for (const next of neighboursOf(module)) visit(next)
  }
  for (const entry of ENTRIES) visit(entry)
  assert.deepEqual(
    MODULES.map(({ name }) => name).filter((name) => !reached.has(name)),
    [],
  )
})

test('no modules import each other in a circle, types included', () => {
  const neighbours = new Map(MODULES.map((module) => [module.name, neighboursOf(module)]))
  // Modules that import nothing that is left go, again and again; what remains stands in a circle or behind one.
  let left = new Set(neighbours.keys())
  for (let before = -1; before !== left.size; ) {
    before = left.size
    left = new Set([...left].filter((name) => neighbours.get(name)?.some((target) => left.has(target))))
  }
  assert.deepEqual([...left], [])
})

test('polling does not know whether other processes poll on the same store: only its coordination does', () => {
  const COORDINATION = 'polling/coordination/'
  const wrong = offenders((module) =>
    module.room !== 'polling' || module.name.startsWith(COORDINATION)
      ? []
      : neighboursOf(module)
          .filter((target) => target.startsWith(COORDINATION))
          .map((target) => `must not import ${target}`),
  )
  assert.deepEqual(wrong, [])
  assert.ok(MODULES.some(({ name }) => name.startsWith(COORDINATION)))
})

test('domain, ports, polling and catalogue know no machine and no packages beyond what is allowed', () => {
  const wrong = offenders(({ room, imports }) => {
    const allowed = OUTSIDE_ALLOWED[room]
    if (!allowed) return []
    const outside = imports.filter((specifier) => !specifier.startsWith('.') && !allowed.test(specifier))
    return outside.map((specifier) => `must not import ${specifier}`)
  })
  assert.deepEqual(wrong, [])
})

test('rules know time and chance only as arguments', () => {
  const HIDDEN = /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\)|\bperformance\.now\(/g
  const wrong = offenders(({ room, code }) =>
    ['domain', 'ports', 'polling', 'catalogue'].includes(room)
      ? [...withoutComments(code).matchAll(HIDDEN)].map(([found]) => `must not use ${found}`)
      : [],
  )
  assert.deepEqual(wrong, [])
})

test('only main.ts handles signals, ends the process and reads its environment', () => {
  const PROCESS = /\bprocess\.(?:exit\(|exitCode|env\b|argv\b|on\(|once\(|kill\()/g
  const wrong = offenders(({ room, code }) =>
    room === 'main' ? [] : [...withoutComments(code).matchAll(PROCESS)].map(([found]) => `must not use ${found}`),
  )
  assert.deepEqual(wrong, [])
})

test('modules import by relative path with their extension, so that Node runs them as they are', () => {
  const wrong = offenders(({ imports }) =>
    imports.filter((specifier) => specifier.startsWith('.') && !/\.(ts|json)$/.test(specifier)),
  )
  assert.deepEqual(wrong, [])
})
