// Compiles src/*.ts to dist/*.js with declarations. An installed package needs them,
// because Node does not strip types in node_modules. The dashboard goes into dist/web as one bundle.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeBundle } from './bundle-dashboard.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

// tsc rewrites the extensions in imports, but not in `new URL('./worker.ts', import.meta.url)`.
const FILE_URL = /(new URL\(\s*(['"])\.{1,2}\/[^'"]+)\.ts(\2\s*,\s*import\.meta\.url\s*\))/g
const LEFT_OVER = /(?:from|import)\s*\(?\s*['"]\.[^'"]+\.ts['"]|['"]\.{1,2}\/[^'"]+\.ts['"]\s*,\s*import\.meta/

const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
for (const name of scripts) {
  const path = join(dist, name)
  const code = readFileSync(path, 'utf8')
  const rewritten = code.replace(FILE_URL, '$1.js$3')
  if (LEFT_OVER.test(rewritten)) throw new Error(`${name} still refers to TypeScript`)
  if (rewritten !== code) writeFileSync(path, rewritten)
}
await writeBundle(join(dist, 'web'))
console.log(`dist/: ${scripts.length} modules, dist/web: the dashboard`)
