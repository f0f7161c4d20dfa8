// Bundles the dashboard from web/ with esbuild: one script, one style sheet inside the page, and the plain files of web/.
// `npm run build` writes the result into the package. In a checkout the server asks for it when a page is first opened,
// and the result is kept until a file of web/ or a package changes.
// See docs/decisions/0130-dashboard-is-preact-bundled-on-first-use.md
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WEB = join(ROOT, 'web')
const CACHE = join(ROOT, 'node_modules', '.cache', 'tidings-dashboard')
/** Rules that the pages share with the server. A change there changes the bundle. */
const SHARED = join(ROOT, 'src', 'domain')

/** Returns the folder that holds the bundle, and makes it if there is none for the files as they are. */
export async function bundledDashboard(): Promise<string> {
  const folder = join(CACHE, await contentKey())
  if (await isFolder(folder)) return folder
  // Several processes may bundle at once: each makes its own, and the first one to rename wins.
  const own = `${folder}-${process.pid}`
  await writeBundle(own)
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true }))
  return folder
}

/** Writes index.html, assets/ and the plain files into this folder. */
export async function writeBundle(folder: string): Promise<void> {
  const common = { bundle: true, minify: true, write: false, legalComments: 'none', absWorkingDir: ROOT } as const
  const [scripts, styles] = await Promise.all([
    build({
      ...common,
      entryPoints: [join(WEB, 'app.tsx')],
      ...{ format: 'esm', target: 'es2023', jsx: 'automatic', jsxImportSource: 'preact' },
    }),
    build({ ...common, entryPoints: [join(WEB, 'style', 'style.css')], loader: { '.css': 'css' } }),
  ])
  const script = scripts.outputFiles[0]?.text ?? ''
  const name = `app-${hashOf(script).slice(0, 12)}.js`
  const page = (await readFile(join(WEB, 'index.html'), 'utf8'))
    .replace('/*STYLE*/', () => (styles.outputFiles[0]?.text ?? '').trim())
    .replace('/assets/app.js', `/assets/${name}`)
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'assets', name), script)
  for (const plain of await plainFiles()) await writeFile(join(folder, plain), await readFile(join(WEB, plain)))
}

async function plainFiles(): Promise<string[]> {
  return (await readdir(WEB)).filter((name) => /\.(js|css|svg)$/.test(name))
}

async function contentKey(): Promise<string> {
  const names = [...(await filesIn(WEB)), ...(await filesIn(SHARED))].sort()
  const files = [...names, join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)]
  const texts = await Promise.all(files.map(async (file) => `${file}\n${await readFile(file, 'utf8')}`))
  return hashOf(texts.join('\n')).slice(0, 16)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function isFolder(path: string): Promise<boolean> {
  return (await readdir(dirname(path)).catch((): string[] => [])).includes(path.slice(dirname(path).length + 1))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
