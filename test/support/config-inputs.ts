// Loads a configuration from files that exist only in the test.
import assert from 'node:assert/strict'
import { ConfigError, type ConfigFlags, loadConfig } from '../../src/config.ts'

export interface ConfigInputs {
  readonly yaml?: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: ConfigFlags
}

export function load({ yaml, files = {}, env = {}, flags = {} }: ConfigInputs) {
  const present: Record<string, string> = yaml === undefined ? { ...files } : { ...files, 'tidings.yaml': yaml }
  return loadConfig({ flags, env, cwd: '/here', readFile: (path) => present[path.replace('/here/', '')] })
}

/** The problems of the ConfigError that `run` must throw. */
export function problemsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems
  }
  assert.fail('no problem was found')
}
