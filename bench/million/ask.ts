// Asks the API in this process, so that CPU time is that of the whole answer. On PostgreSQL, what the server takes counts
// as well.
import type { openApp } from '../../src/open-app.ts'
import { type Cost, costOf } from '../cpu-time.ts'
import { digits, type Figure, figureOf, say } from '../figures.ts'
import { quantileOf } from '../spread.ts'

const ASKED = 7
const LIST_ROUNDS = 5
const ASKED_IN_ROUND = 60

export interface Asking {
  readonly inject: Awaited<ReturnType<typeof openApp>>['inject']
  readonly serverPid: number | null
}

interface Answer {
  readonly cost: Cost
  readonly items: number
  readonly nextCursor: string | null
}

/** Each question several times, and its second page if it has one. */
export async function askQuestions(asking: Asking, questions: Readonly<Record<string, string>>) {
  const figures: Figure[] = []
  const ask = async (name: string, path: string): Promise<string | null> => {
    const answers = await repeated(ASKED, () => answerTo(asking, path))
    figures.push(...reported(name, answers))
    return answers[0]?.nextCursor ?? null
  }
  for (const [name, path] of Object.entries(questions)) {
    const cursor = await ask(name, path)
    const mark = path.includes('?') ? '&' : '?'
    if (cursor !== null) await ask(`${name}, second page`, `${path}${mark}cursor=${encodeURIComponent(cursor)}`)
  }
  return figures
}

function reported(name: string, answers: readonly Answer[]): readonly Figure[] {
  const cpu = figureOf(
    `${name}, CPU`,
    'ms',
    answers.map(({ cost }) => cost.cpuMs),
  )
  const wall = figureOf(
    `${name}, wall`,
    'ms',
    answers.map(({ cost }) => cost.wallMs),
  )
  say(
    `${name.padEnd(52)} ${digits(wall.median, 'ms').padStart(6)} ms, worst ${digits(wall.most, 'ms').padStart(6)}, CPU ${digits(cpu.median, 'ms').padStart(6)} ${String(answers[0]?.items).padStart(5)} items`,
  )
  return [cpu, wall]
}

/** The slowest of a hundred answers, in each round. */
export async function askLists(asking: Asking, lists: Readonly<Record<string, string>>): Promise<readonly Figure[]> {
  const p99s = new Map(Object.keys(lists).map((name) => [name, [] as number[]]))
  for (let round = 0; round < LIST_ROUNDS; round++) {
    for (const [name, path] of Object.entries(lists)) {
      const answers = await repeated(ASKED_IN_ROUND, () => answerTo(asking, path))
      const cpuMs = answers.map(({ cost }) => cost.cpuMs)
      p99s.get(name)?.push(quantileOf(cpuMs, 0.99))
    }
  }
  return [...p99s].map(([name, values]) => figureOf(`${name}, p99 of ${ASKED_IN_ROUND}, CPU`, 'ms', values))
}

async function answerTo({ inject, serverPid }: Asking, path: string): Promise<Answer> {
  const headers = { authorization: 'Bearer bench', host: 'localhost' }
  let text = ''
  const cost = await costOf(async () => {
    const { statusCode, payload } = await inject({ method: 'GET', url: path, headers })
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${payload}`)
    text = payload
  }, serverPid)
  const { items, nextCursor = null } = text.startsWith('{') ? JSON.parse(text) : {}
  return { cost, items: items?.length ?? 0, nextCursor }
}

async function repeated<T>(times: number, work: () => Promise<T>): Promise<readonly T[]> {
  const found: T[] = []
  for (let n = 0; n < times; n++) found.push(await work())
  return found
}
