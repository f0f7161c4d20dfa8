// Secrets that polls need, opened with the master key.
import { dirname } from 'node:path'
import { databaseOf } from '../config.ts'
import type { Failure } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import type { Config } from '../ports/config.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import type { SecretsOptions } from '../secrets/secrets.ts'

export function secretsOptions({ database, encryption }: Config, engine: Store['engine']): SecretsOptions {
  return { masterKey: encryption.masterKey, engine, dataDir: folderOfDatabase(database.url) }
}

/** Returns null if the user has stored no key. */
export async function xKeyOf(userId: string, store: Store, secrets: Secrets): Promise<string | null | Failure> {
  const row = await store.getSecret('key', userId, 'x')
  if (!row) return null
  return (await secrets.open(row)) ?? unreadableSecret('the X API key')
}

/** Returns null if the source's URL has no credentials. */
export async function credentialsOf(source: Source, store: Store, secrets: Secrets): Promise<string | null | Failure> {
  const row = await store.getSecret('source', source.id, 'url')
  if (!row) return null
  return (await secrets.open(row)) ?? unreadableSecret('the credentials of its URL')
}

function unreadableSecret(what: string): Failure {
  const reason = `${what} cannot be read with the master key in use; store it again or restore app.encryption.master-key`
  return { code: 'unreadable-secret', httpStatus: null, reason }
}

function folderOfDatabase(url: string): string | null {
  const database = databaseOf(url)
  if (database?.engine !== 'sqlite' || database.path === ':memory:') return null
  return dirname(database.path)
}
