#!/usr/bin/env node
// The launcher: plain JavaScript that any Node understands. It finds the runtime that tidings needs and hands over.
// In a checkout TypeScript runs as it is; an installed package brings dist/, because Node strips no types there.
// See docs/decisions/0001-node-24-from-npm-no-build.md
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepMemorySmall, smallMemoryFlags } from './small-memory.js'

const NEEDED = [24, 12]

const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])

const self = fileURLToPath(import.meta.url)
const installed = /[\\/]node_modules[\\/]/.test(self) || !existsSync(new URL('../src/main.ts', import.meta.url))
const pinned = ['node', 'node.exe']
  .map((name) => fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url)))
  .find((path) => existsSync(path))

const [first, ...others] = process.argv.slice(2)
if ((first === '--version' || first === '-V') && others.length === 0) {
  // Answered here: it needs nothing of the program, and no particular Node.
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else if (isNewEnough) {
  keepMemorySmall(first)
  const cache = compileCacheFolder()
  if (cache) module.enableCompileCache(cache)
  await import(installed ? '../dist/main.js' : '../src/main.ts')
} else if (!installed && pinned) {
  await rerun(pinned)
} else {
  process.stderr.write(
    `Tidings needs Node ${NEEDED.join('.')} or later, and this is ${process.versions.node}.\n${
      installed
        ? 'Install a newer one, for example from https://nodejs.org/'
        : 'In a checkout, "npm install" brings it.'
    }\n`,
  )
  process.exitCode = 1
}

/** Stripping types and compiling cost much of a start. What was done once is kept where only its owner writes. */
function compileCacheFolder() {
  if (!installed) return fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url))
  // sudo may leave HOME as it was, and root must not run code out of a folder of somebody else.
  if (process.getuid && process.getuid() === 0) return null
  const { LOCALAPPDATA, XDG_CACHE_HOME, HOME } = process.env
  const caches = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME || (HOME && join(HOME, '.cache'))
  return caches ? join(caches, 'tidings') : null
}

async function rerun(node) {
  const { spawn } = await import('node:child_process')
  // The channel lets the child notice when this process is killed.
  const child = spawn(node, [...smallMemoryFlags(first), self, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`Cannot start ${node}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
