// Runs the commands of a page for real, in this process: `tidings` on a store in the reader's folder, and curl against the
// `serve` that runs there. `serve` and `worker` go on in the background until the page ends.
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import type { CommandContext } from '../../src/cli/command-context.ts'
import { runCli } from '../../src/cli/program.ts'
import { migrateStore } from '../../src/open-app/migrate-store.ts'
import { readList } from '../../src/open-app/read-list.ts'
import { openApp } from '../../src/open-app.ts'
import { runExample } from '../support/run-example.ts'
import { until } from '../support/until.ts'
import type { Called, Ended, World } from './world.ts'

const SERVER = /https?:\/\/(?:127\.0\.0\.1:8085|tidings\.example(?:\.org)?)/g
const DATABASE = /postgres:\/\/[^\s"']+/
/** Live events (`-N`) never end by themselves; this is how long a page listens. */
const LISTEN_SECONDS = 1
const ANSWER_SECONDS = 60
const CURL_TIMED_OUT = 28

interface Running {
  readonly ending: AbortController
  readonly ended: Promise<number>
}

export class CommandRunner {
  readonly #world: World
  readonly #folder: string
  readonly #running: Running[] = []
  #server: string | null = null
  #database: Promise<string> | null = null

  constructor(world: World, folder: string) {
    this.#world = world
    this.#folder = folder
  }

  async tidings(called: Called): Promise<Ended> {
    const args = await Promise.all(called.args.map((arg) => this.#translate(arg, called.args)))
    const env = await this.#environment(called)
    const [command] = args
    if (command === 'serve' || command === 'worker') return this.#start(called, args, env)
    const ending = new AbortController()
    // It shows what happens until it is ended.
    if (command === 'watch') setTimeout(() => ending.abort(), 300)
    const said = { out: '', err: '' }
    const code = await runCli(args, this.#context({ ...called, env }, ending.signal, said))
    return { code: command === 'watch' ? 0 : code, ...said }
  }

  async curl(called: Called): Promise<Ended> {
    const server = await this.#serve(called)
    const args = called.args.map((arg) => this.#world.toLoopback(arg.replaceAll(SERVER, server)))
    const resolved = await Promise.all(args.map((arg) => this.#withId(arg, ['source'])))
    const listens = called.args.includes('-N')
    const seconds = String(listens ? LISTEN_SECONDS : ANSWER_SECONDS)
    const limits = ['--fail-with-body', '--silent', '--show-error', '--max-time', seconds]
    return new Promise((resolve) => {
      const child = execFile('curl', [...limits, ...resolved], { cwd: called.cwd }, (error, out, err) => {
        const isOver = listens && Number(error?.code) === CURL_TIMED_OUT
        const code = error === null || isOver ? 0 : 1
        resolve({ code, out, err })
      })
      child.stdin?.end(called.input)
    })
  }

  async example(called: Called): Promise<Ended> {
    const server = await this.#serve(called)
    const [, file = '', ...args] = called.args
    const env = { TIDINGS_SERVER: server, ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' }
    return runExample(file, args.map(this.#world.toLoopback), { cwd: called.cwd, env })
  }

  async stop(): Promise<void> {
    for (const { ending } of this.#running) ending.abort()
    await Promise.all(this.#running.map(({ ended }) => ended))
  }

  async #serve(called: Called): Promise<string> {
    if (this.#server === null) await this.tidings({ ...called, args: ['serve'], input: '' })
    return this.#server ?? ''
  }

  async #start(called: Called, args: readonly string[], env: Called['env']): Promise<Ended> {
    const ending = new AbortController()
    const said = { out: '', err: '' }
    // The port of the docs may be in use on this machine.
    const others = args.filter((arg, at) => arg !== '--port' && args[at - 1] !== '--port')
    const port = args[0] === 'serve' || args.length !== others.length ? ['--port', '0'] : []
    const ended = runCli([...others, ...port], this.#context({ ...called, env }, ending.signal, said))
    this.#running.push({ ending, ended })
    const isUp = () => said.out.includes('Ctrl-C ends it.')
    await Promise.race([ended, until(`${args[0]} is up`, isUp)])
    if (!isUp()) return { code: await ended, ...said }
    const url = /Dashboard {2}(\S+?)\/$/m.exec(said.out)?.[1]
    if (url !== undefined) this.#server = url
    return {
      code: 0,
      out: url === undefined ? said.out : said.out.replaceAll(url, 'http://127.0.0.1:8085'),
      err: said.err,
    }
  }

  #context(called: Called, ending: AbortSignal, said: { out: string; err: string }): CommandContext {
    return {
      ...{ version: '1.2.3', env: called.env, cwd: called.cwd, pid: process.pid, ending, openApp, migrateStore },
      stdin: Readable.from([Buffer.from(called.input)]),
      // Pages show what people see, who have a terminal.
      stdout: { write: (text) => (said.out += text), ...(called.env.TERMINAL ? { isTTY: true, columns: 100 } : {}) },
      stderr: {
        write(text) {
          said[called.env.TERMINAL ? 'out' : 'err'] += text
        },
      },
      now: () => Date.now(),
      readList: async (list) => readList(list, null),
    }
  }

  /** Settings that a page exports count; what the test itself was started with does not. */
  async #environment(called: Called): Promise<Record<string, string>> {
    const settings = Object.entries(called.env).filter(([name]) => /^(APP_|TIDINGS_|TERMINAL$)/.test(name))
    const translated = settings.map(async ([name, value]) => [name, await this.#translate(value, [])] as const)
    return {
      ...{
        APP_HTTP_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
        APP_LOG_LEVEL: 'silent',
        NO_COLOR: '1',
        PAGER: '',
        APP_SOURCE_POLL_DELAY_SECONDS_WEBSITE: '0',
      },
      ...Object.fromEntries(await Promise.all(translated)),
    }
  }

  async #translate(arg: string, args: readonly string[]): Promise<string> {
    if (DATABASE.test(arg)) {
      this.#database ??= this.#world.freshDatabase()
      return arg.replace(DATABASE, await this.#database)
    }
    const address = this.#server === null ? arg : arg.replaceAll(SERVER, this.#server)
    const local = this.#world.toLoopback(address).replace(/^\/(?=var|home|backups?\b)/, `${this.#folder}/`)
    return local === 'ID' ? this.#withId(local, args) : local
  }

  /** ID in a page is the id of what the page made before: the newest token, notifier, webhook, or the first source. */
  async #withId(arg: string, args: readonly string[]): Promise<string> {
    if (!/\bID\b/.test(arg)) return arg
    const kind = ['token', 'notifier', 'webhook', 'articles'].find((each) => each === args[0])
    const user = kind === 'token' ? ['--user', 'default'] : []
    const list = kind === undefined ? ['list'] : kind === 'articles' ? ['articles'] : [kind, 'list', ...user]
    const { out } = await this.tidings({
      ...{ name: 'tidings', args: [...list, '--json'], input: '', cwd: this.#folder, env: {} },
    })
    const [first] = JSON.parse(out).items
    if (first === undefined) throw new Error(`the page made no ${kind ?? 'source'} before it uses ID`)
    return arg.replace(/\bID\b/, first.id)
  }
}
