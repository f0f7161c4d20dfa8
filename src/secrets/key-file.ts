// The master key of an embedded store: a file in the data folder that only its owner can read.
// It is created when it is first needed, completely or not at all.
// If two processes create it at the same time, both use the one that was first.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../domain/problem.ts'

const NAME = 'master.key'
const NEXT_NAME = 'master.key.next'

export interface KeyFile {
  read(): Promise<Buffer | null>
  readOrMake(): Promise<Buffer>
  /** For rotation: the next key. It has its own file until `adoptNext`, so that a rotation can resume after a crash. */
  readNext(): Promise<Buffer | null>
  readOrMakeNext(): Promise<Buffer>
  adoptNext(): Promise<void>
}

export function keyFileIn(folder: string): KeyFile {
  const path = join(folder, NAME)
  const nextPath = join(folder, NEXT_NAME)
  return {
    read: () => readKey(path),
    readOrMake: async () => (await readKey(path)) ?? makeKey(folder, path),
    readNext: () => readKey(nextPath),
    readOrMakeNext: async () => (await readKey(nextPath)) ?? makeKey(folder, nextPath),
    async adoptNext() {
      await rename(nextPath, path).catch(async (error: NodeJS.ErrnoException) => {
        // Another process has already finished the rotation to this key.
        if (error.code !== 'ENOENT' || (await readKey(path)) === null) throw error
      })
      await syncFolder(path)
    },
  }
}

async function readKey(path: string): Promise<Buffer | null> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Problem('secrets-unavailable', `The master key in ${path} cannot be read: ${error.message}`)
  })
  if (content === null) return null
  const key = Buffer.from(content.trim(), 'base64')
  if (key.length === 32) return key
  throw new Problem(
    'secrets-unavailable',
    `${path} does not hold a master key (base64 of 32 bytes): restore it from a backup`,
  )
}

async function makeKey(folder: string, path: string): Promise<Buffer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    // Unlike rename, link never replaces a file: the first process wins.
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(path)
  const key = await readKey(path)
  if (!key) throw new Error(`${path} vanished`)
  return key
}

/** Writes the folder entry to disk before the key is used. Otherwise a power cut could lose the key but keep the secrets. */
async function syncFolder(path: string): Promise<void> {
  // Not every operating system can sync a folder.
  const folder = await open(dirname(path), 'r').catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
