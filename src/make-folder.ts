import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents, readable by the owner only.
 * It creates them one by one, because Node's `recursive` option loops forever on a file system such as /proc,
 * which answers ENOENT when a folder is created in an existing one.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(path)) throw error
  }
}
