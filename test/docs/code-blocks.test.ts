// Code in the docs that is not typed into a shell: TypeScript is checked against the types that the package has, JSON and
// YAML are parsed, settings are read by the real reader, and requests name routes that exist.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { type Block, blocksOf, ROOT, readPages } from './pages.ts'
import { unknownRequests } from './requests.ts'

const pages = readPages()
const blocks = [...pages].flatMap(([page, content]) => blocksOf(page, content))
const of = (language: string) => blocks.filter((block) => block.language === language)

test('TypeScript of the docs fits the types of the package', () => {
  // Below node_modules, so that the packages which a page imports are found.
  const cache = join(ROOT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'tidings-docs-'))
  try {
    tsc(['-p', join(ROOT, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', join(folder, 'types')])
    const files = of('ts').map(({ text, place }) => {
      const name = `${place.replaceAll(/[^\w]+/g, '-')}.ts`
      writeFileSync(join(folder, name), `${text}\nexport {}\n`)
      return name
    })
    assert.notEqual(files.length, 0)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }))
    assert.equal(tsc(['-p', folder]), '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const OPTIONS = {
  ...{ target: 'esnext', lib: ['esnext'], module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
  ...{ types: ['node'], skipLibCheck: true, noEmit: true, paths: { tidings: ['./types/index.d.ts'] } },
}

function tsc(args: readonly string[]): string {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  try {
    return execFileSync(process.execPath, [compiler, ...args], { encoding: 'utf8', cwd: ROOT })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

test('JSON of the docs is JSON', () => {
  for (const { place, text } of of('json')) assert.doesNotThrow(() => JSON.parse(text), place)
})

test('YAML of the docs is YAML, and settings are settings', () => {
  const isSettings = ({ text }: Block) => Object.hasOwn(parse(text), 'app')
  assert.notEqual(of('yaml').filter(isSettings).length, 0)
  for (const block of of('yaml').filter(isSettings)) {
    assert.doesNotThrow(() => loadConfig({ env: ENVIRONMENT, cwd: '/', readFile: () => block.text }), block.place)
  }
})

/** What the placeholders of the docs are filled with. */
const ENVIRONMENT = { MASTER_KEY: Buffer.alloc(32).toString('base64') }

test('requests of the docs name methods and paths that the API has', async () => {
  const requests = of('http').flatMap(({ place, text }) => {
    const lines = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))
    return lines.map((line) => ({ place, text: line.split(/\s+/).slice(0, 2).join(' ') }))
  })
  assert.notEqual(requests.length, 0)
  assert.deepEqual(await unknownRequests(requests), [])
})
