// The docs hold together: every decision is in the index with its status, every link leads somewhere, and the code
// names only decisions that exist.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksOf, indentedCode, readPages } from './docs/pages.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DECISIONS = join(ROOT, 'docs/decisions')
const STATUS = /^Status: (accepted|(?:amended|superseded) by \[(\d{4})\]\(\2-[^)]+\))$/m

const CODE = ['src', 'test', 'web', 'bench', 'scripts', 'bin', 'migrations']
const CODE_TYPES = new Set(['.ts', '.js', '.mjs', '.css', '.html', '.sql'])

const decisions = readdirSync(DECISIONS).filter((name) => /^\d{4}-.*\.md$/.test(name))
const numbers = new Set(decisions.map((name) => name.slice(0, 4)))

test('every decision has a number of its own, a title, a status, a problem, a choice and what was rejected', () => {
  assert.equal(numbers.size, decisions.length, 'two decisions share a number')
  for (const name of decisions) {
    const text = read(join(DECISIONS, name))
    assert.match(text, new RegExp(`^# ${name.slice(0, 4)}: \\S`), name)
    assert.match(text, STATUS, name)
    for (const part of ['Problem', 'Choice', 'Rejected']) assert.ok(text.includes(`**${part}.**`), `${name}: ${part}`)
  }
})

test('the index of decisions has each of them once, with its title and status', () => {
  const rows = read(join(DECISIONS, 'README.md'))
    .split('\n')
    .filter((line) => /^\| \d{4} /.test(line))
  const expected = decisions.map((name) => {
    const text = read(join(DECISIONS, name))
    const title = /^# \d{4}: (.*)$/m.exec(text)?.[1]
    return `| ${name.slice(0, 4)} | [${title}](${name}) | ${STATUS.exec(text)?.[1]} |`
  })
  assert.deepEqual(rows.toSorted(), expected.toSorted())
})

test('every relative link in the docs leads to a file and a heading that exist', () => {
  const pages = [...readdirSync(ROOT).map((name) => join(ROOT, name)), ...filesBelow('docs'), ...filesBelow('examples')]
  const dead = pages.filter((page) => page.endsWith('.md')).flatMap(deadLinks)
  assert.deepEqual(dead, [])
})

test('every decision that the code or the docs name exists', () => {
  const files = [...CODE, 'docs'].flatMap(filesBelow)
  const named = files.flatMap((file) => decisionsNamedIn(file).map((name) => ({ file: relative(ROOT, file), name })))
  const unknown = named.filter(({ name }) => !(numbers.has(name) || decisions.includes(name)))
  assert.deepEqual(unknown, [])
})

test('every decision is named by the code that follows it', () => {
  const named = CODE.flatMap(filesBelow).flatMap(decisionsNamedIn)
  const linked = new Set(named.map((name) => name.slice(0, 4)))
  const current = decisions.filter((name) => !read(join(DECISIONS, name)).includes('\nStatus: superseded'))
  assert.deepEqual(
    current.filter((name) => !linked.has(name.slice(0, 4))),
    [],
  )
})

test('every page is in the index of the docs', () => {
  const index = read(join(ROOT, 'docs', 'README.md'))
  const pages = [...readPages().keys()].filter((page) => dirname(page) !== '.' && !page.endsWith('README.md'))
  const missing = pages.filter((page) => !index.includes(`](${relative('docs', page)}`))
  assert.deepEqual(missing, [])
})

/** What is only shown, and why no test runs it. */
const SHOWN: Readonly<Record<string, string>> = {
  text: 'a picture in letters, or what a program printed',
  nginx: 'nginx is another program',
  caddy: 'Caddy is another program',
  ini: 'the units in deploy/ have a test of their own',
}
const RUN = new Set(['sh', 'console', 'ts', 'json', 'yaml', 'http'])

test('every block of code says what it is, so that test/docs/ can check it', () => {
  const pages = readPages()
  const blocks = [...pages].flatMap(([page, content]) => blocksOf(page, content))
  const unknown = blocks.filter(({ language }) => !(RUN.has(language) || language in SHOWN))
  assert.deepEqual(
    unknown.map(({ place, language }) => `${place} ${language}`),
    [],
  )
  assert.deepEqual(
    [...pages].flatMap(([page, content]) => indentedCode(page, content)),
    [],
  )
})

function decisionsNamedIn(file: string): string[] {
  if (!(CODE_TYPES.has(extname(file)) || file.endsWith('.md'))) return []
  const text = read(file)
  const paths = [...text.matchAll(/docs\/decisions\/(\d{4}(?:-[\w-]+\.md)?)/g)]
  const mentions = [...text.matchAll(/\bdecisions? (\d{4})\b/gi)]
  return [...paths, ...mentions].map(([, name]) => name ?? '')
}

function deadLinks(page: string): string[] {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
  return links
    .filter((target) => !/^[a-z]+:/i.test(target) && !leadsSomewhere(page, target))
    .map((target) => `${relative(ROOT, page)}: ${target}`)
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  return existsSync(file) && (anchor === undefined || anchorsOf(file).has(anchor))
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(file: string): Set<string> {
  const headings = [...withoutFences(read(file)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading ?? '')
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function withoutFences(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, '')
}

function withoutCode(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, '')
}

function filesBelow(folder: string): string[] {
  const top = join(ROOT, folder)
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((name) => join(top, name))
    .filter((path) => statSync(path).isFile())
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
