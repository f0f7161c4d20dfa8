// What deploy/ holds can be used: files parse, the start commands in them run with their environment, and probes, ports,
// metrics and labels are those that exist. Images and clusters are not there in a test.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../src/config.ts'
import { askAt } from './support/api.ts'
import { usePostgres } from './support/postgres.ts'
import { startRunning } from './support/serve-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DEPLOY = join(ROOT, 'deploy')
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
const postgres = usePostgres()

// biome-ignore lint/suspicious/noExplicitAny: what YAML holds; the assertions say what it must be
type Tree = any

const SECRETS = { POSTGRES_PASSWORD: 'secret', APP_ENCRYPTION_MASTER_KEY: Buffer.alloc(32).toString('base64') }

/** `${NAME:?reason}`, as compose fills it. */
function filled(env: Record<string, string>): Record<string, string> {
  const fill = (text: string) => text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: keyof typeof SECRETS) => SECRETS[name])
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]))
}

/** Where a command with these arguments listens. */
function portOf(args: readonly string[]): number {
  const at = args.indexOf('--port')
  return at === -1 ? loadConfig({ env: {}, cwd: '/' }).config.server.port : Number(args[at + 1])
}

/** Starts it with this environment, on a database of the test, and on a free port of loopback. */
async function runs(args: readonly string[], env: Record<string, string>, use = async (_url: string) => {}) {
  const { config } = loadConfig({ env, cwd: '/' })
  const folder = await mkdtemp(join(tmpdir(), 'tidings-deploy-'))
  const isPostgres = config.database.url.startsWith('postgres')
  const url = isPostgres ? await postgres.freshDatabase() : `file:${join(folder, 'tidings.db')}`
  const at = args.indexOf('--port')
  const free = at === -1 ? args : args.with(at + 1, '0')
  try {
    await using running = await startRunning(free, {
      ...env,
      APP_DATABASE_URL: url,
      APP_SERVER_PORT: '0',
      APP_SERVER_HOST: '127.0.0.1',
      APP_SERVER_PUBLIC_URL: '',
    })
    await use(/(?:Dashboard {2}|Health and metrics: )(http:\/\/[^/\s]+)/.exec(running.greeting)?.[1] ?? '')
    running.process.kill('SIGTERM')
    assert.equal(await running.ended, 0)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').replaceAll(/\\\n/g, ' ').split('\n')
  const of = (word: string) =>
    lines.filter((line) => line.trim().startsWith(`${word} `)).map((line) => line.trim().slice(word.length + 1))
  const env = Object.fromEntries(
    of('ENV')
      .flatMap((line) => line.trim().split(/\s+/))
      .map((pair) => pair.split('=')),
  )

  test('starts a serve that answers its health check, as an ordinary user', async () => {
    assert.deepEqual(of('ENTRYPOINT'), ['["tidings"]'])
    assert.deepEqual(of('USER'), ['node'])
    const { APP_SERVER_HOST, APP_DATABASE_URL } = env
    assert.deepEqual([APP_SERVER_HOST, APP_DATABASE_URL], ['0.0.0.0', 'file:/data/tidings.db'])
    const [check = ''] = of('HEALTHCHECK')
    const asked = new URL(/http\S+/.exec(check)?.[0] ?? '')
    assert.equal(Number(asked.port), loadConfig({ env: {}, cwd: '/' }).config.server.port)
    await runs(JSON.parse(of('CMD')[0] ?? '[]'), env, async (url) => {
      assert.equal((await askAt(url, 'GET', asked.pathname)).status, 200)
    })
  })

  test('copies files that exist, and builds as the package does', () => {
    const copied = of('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1))
    for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path)
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    assert.ok(of('RUN').some((line) => line.includes(scripts.prepack)))
  })
})

describe('compose', () => {
  for (const file of ['docker-compose.yml', 'docker-compose.postgres.yml']) {
    test(`${file} starts what it says`, async () => {
      const { services, volumes } = parse(read(file), { merge: true }) as Tree
      const ours = Object.values(services).filter((service: Tree) => service.build) as Tree[]
      assert.ok(ours.length > 0)
      for (const { command = ['serve'], environment = {}, build, healthcheck } of ours) {
        assert.ok(existsSync(join(DEPLOY, build.context, build.dockerfile)))
        const check: string = healthcheck?.test?.at(-1) ?? `http://127.0.0.1:${portOf(command)}/healthz`
        assert.equal(Number(new URL(check).port), portOf(command))
        await runs(command, filled(environment), async (url) => {
          assert.equal((await askAt(url, 'GET', new URL(check).pathname)).status, 200)
        })
      }
      const named = Object.values(services).flatMap((service: Tree) => service.volumes ?? [])
      for (const volume of named) assert.ok(volume.split(':')[0] in volumes, volume)
    })
  }
})

describe('systemd', () => {
  for (const file of readdirSync(join(DEPLOY, 'systemd'))) {
    test(`${file} starts what it says, in a directory that it may write`, async () => {
      const unit = read(join('systemd', file))
      const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]
      const [command, ...args] = value('ExecStart')?.split(' ') ?? []
      assert.equal(command, '/usr/local/bin/tidings')
      const [name = '', ...url] = value('Environment')?.split('=') ?? ['APP_DATABASE_URL', 'postgres://in.etc/tidings']
      const env = { [name]: url.join('=') }
      if (env[name]?.startsWith('file:'))
        assert.equal(dirname(env[name].slice(5)), `/var/lib/${value('StateDirectory')}`)
      await runs(args, env)
    })
  }
})

describe('Kubernetes', () => {
  const { resources } = parse(read('kubernetes/kustomization.yaml')) as Tree
  const documents: Tree[] = [...resources, 'secret.example.yaml'].flatMap((name: string) =>
    parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS()),
  )
  const of = (kind: string): Tree[] => documents.filter((document) => document.kind === kind)
  const labels = (deployment: Tree) => deployment.spec.template.metadata.labels
  const env = { ...of('ConfigMap')[0].data, ...of('Secret')[0].stringData }

  test('containers start with their settings, and answer their probes', async () => {
    assert.equal(of('Deployment').length, 2)
    for (const { spec } of of('Deployment')) {
      const [container] = spec.template.spec.containers
      const probes: Tree[] = [container.livenessProbe, container.readinessProbe, container.startupProbe].filter(Boolean)
      assert.equal(container.ports[0].containerPort, portOf(container.args))
      await runs(container.args, env, async (url) => {
        for (const { httpGet } of probes) {
          assert.ok(container.ports.some(({ name }: Tree) => name === httpGet.port))
          assert.equal((await askAt(url, 'GET', httpGet.path)).status, 200)
        }
      })
    }
  })

  test('selectors find their pods, and the autoscaler its deployment', () => {
    const pods = of('Deployment').map(labels)
    const selectors = [
      ...of('Deployment').map(({ spec }) => spec.selector.matchLabels),
      ...of('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      ...of('Service').map(({ spec }) => spec.selector),
    ]
    assert.equal(selectors.length, 5)
    for (const selector of selectors)
      assert.ok(pods.some((pod) => Object.entries(selector).every(([key, value]) => pod[key] === value)))
    const names = of('Deployment').map(({ metadata }) => metadata.name)
    for (const { spec } of of('HorizontalPodAutoscaler')) assert.ok(names.includes(spec.scaleTargetRef.name))
  })

  test('the autoscaler follows a metric that Tidings has', async () => {
    const { rules } = parse(read('kubernetes/prometheus-adapter.yaml')) as Tree
    const [{ metric }] = of('HorizontalPodAutoscaler').flatMap(({ spec }) =>
      spec.metrics.map((each: Tree) => each.external),
    )
    const rule = rules.external.find(({ name }: Tree) => name.as === metric.name)
    assert.ok(rule.metricsQuery.includes(rule.seriesQuery))
    await runs(['serve'], {}, async (url) => {
      const { text } = await askAt(url, 'GET', '/metrics')
      assert.match(text, new RegExp(`^# TYPE ${rule.seriesQuery} gauge$`, 'm'))
      for (const label of rule.metricsQuery.match(/\w+="[^"]+"/g) ?? []) assert.ok(text.includes(label), label)
    })
  })
})
