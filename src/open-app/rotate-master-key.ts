// Rotating the master key of an opened store, and the line about it in the audit log.
import { secretsOptions } from '../app/stored-secrets.ts'
import type { OpenedApp, OpenRequest } from '../cli/command-context.ts'

type Opened = Pick<OpenRequest, 'config' | 'log'> & Pick<OpenedApp, 'store'>

export async function rotateMasterKeyOf(
  { config, store, log }: Opened,
  readNewKey: () => Promise<Buffer>,
): ReturnType<OpenedApp['rotateMasterKey']> {
  const { rotateMasterKey } = await import('../secrets/rotate-master-key.ts')
  const rotated = await rotateMasterKey(store, secretsOptions(config, store.engine), readNewKey)
  if (rotated !== 'no-key') {
    const facts = { resealed: rotated.resealed, unreadable: rotated.unreadable.length }
    log.info(facts, '[Audit] master key rotated')
  }
  return rotated
}
