// Loads the configuration. Defaults come first, then a YAML file, then the environment, then the command line.
// The result is one frozen Config with the origin of every value, or one ConfigError that lists every problem.
// The library uses configFrom: it reads neither files nor environment, but makes the same checks.
import { readFileSync } from 'node:fs'
import { join, resolve as resolvePath } from 'node:path'
import { environmentLayer } from './config/environment.ts'
import { fileLayer } from './config/file.ts'
import { camelCase } from './config/keys.ts'
import { emptyLayer, type Layer, type LayerFormat } from './config/layer.ts'
import { layerOf } from './config/read-tree.ts'
import { type Resolved, resolve } from './config/resolve.ts'
import type { Config, PartialConfig } from './ports/config.ts'

export { ConfigError, type Origins, type Resolved } from './config/resolve.ts'
export { type Database, databaseOf } from './database-url.ts'

/** The flags of the command line, as text. */
export interface ConfigFlags {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  /** A folder. The database is the file `tidings.db` in it. */
  readonly data?: string | undefined
  readonly database?: string | undefined
}

export interface ConfigSources {
  readonly flags?: ConfigFlags
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Returns undefined if the file does not exist. */
  readonly readFile?: (path: string) => string | undefined
}

const FILE_NAMES = ['tidings.yaml', 'application.yaml']

export function loadConfig({ flags = {}, env, cwd, readFile = readIfThere }: ConfigSources): Resolved {
  const layers = [readConfigFile(flags.config, env, cwd, readFile), environmentLayer(env), flagLayer(flags)]
  return resolve(layers, (path) => `app.${path}`)
}

export function configFrom(partial: PartialConfig = {}): Config {
  return resolve([layerOf(partial, LIBRARY)], LIBRARY.spellPath).config
}

const LIBRARY: LayerFormat = {
  origin: 'caller',
  spellName: camelCase,
  spellPath: camelCase,
  where: () => '',
  read: (value) => ({ value, isText: false }),
}

function readConfigFile(
  named: string | undefined,
  env: ConfigSources['env'],
  cwd: string,
  readFile: (path: string) => string | undefined,
): Layer {
  for (const name of named === undefined ? FILE_NAMES : [named]) {
    let content: string | undefined
    try {
      content = readFile(resolvePath(cwd, name))
    } catch (error) {
      return { ...emptyLayer(), problems: [`${name}: cannot be read: ${(error as Error).message}`] }
    }
    if (content !== undefined) return fileLayer(name, content, env)
  }
  return named === undefined ? emptyLayer() : { ...emptyLayer(), problems: [`--config: there is no file ${named}`] }
}

function flagLayer(flags: ConfigFlags): Layer {
  const layer = emptyLayer()
  const addFlag = (path: string, flag: string, value: string | undefined) => {
    if (value !== undefined) layer.values.set(path, { value, isText: true, origin: flag, where: ` (${flag})` })
  }
  addFlag('server.host', '--host', flags.host)
  addFlag('server.port', '--port', flags.port)
  addFlag('database.url', '--data', flags.data && `file:${join(flags.data, 'tidings.db')}`)
  addFlag('database.url', '--database', flags.database)
  if (flags.data !== undefined && flags.database !== undefined) {
    layer.problems.push('--data and --database both name the database: give only one of them')
  }
  return layer
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
