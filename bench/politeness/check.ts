// One promise that hosts get, and how to look whether it is kept: a check plays the server for the whole product
// (real sockets, real store, manual clock), says what it saw, and what it should have seen, in the same words.
import type { SeenRequest } from '../../test/support/origin.ts'
import { MINUTE, startWorld, type World } from '../../test/support/world.ts'

export interface Check {
  readonly group: string
  readonly property: string
  see(): Promise<Seen>
}

export interface Seen {
  readonly seen: string
  readonly wanted: string
}

export type WorldOptions = Parameters<typeof startWorld>[0]

export function inGroup(group: string) {
  return (property: string, see: () => Promise<Seen>): Check => ({ group, property, see })
}

/** A world for one check, gone afterwards. */
export async function inWorld(see: (world: World) => Promise<Seen>, options: WorldOptions = {}): Promise<Seen> {
  await using world = await startWorld(options)
  return await see(world)
}

/** One row of a table of checks that do not touch each other: `path` is its own. */
export interface Row {
  readonly property: string
  see(world: World, path: string): Promise<Seen>
}

/** Such rows share a world: the first that is looked at looks at all of them. */
export function sharing(check: ReturnType<typeof inGroup>, rows: readonly Row[]): Check[] {
  let looked: Promise<Map<Row, Seen>> | null = null
  const lookAtAll = async (): Promise<Map<Row, Seen>> => {
    await using world = await startWorld()
    const seen = new Map<Row, Seen>()
    for (const [index, row] of rows.entries()) seen.set(row, await row.see(world, `/${index}`))
    return seen
  }
  return rows.map((row) =>
    check(row.property, async () => {
      looked ??= lookAtAll()
      const seen = (await looked).get(row)
      if (!seen) throw new Error('a row was not looked at')
      return seen
    }),
  )
}

/** Polls by hand, a minute apart, changing what the server says before each of them. */
export async function pollEach(world: World, id: string, before: readonly (() => unknown)[]): Promise<void> {
  for (const change of before) {
    await world.clock.advance(MINUTE)
    await change()
    await world.tidings.poll(id)
  }
}

/** What each request made its answer depend on. */
export function conditions(requests: readonly SeenRequest[]): string {
  return requests.map(conditionOf).join(' | ')
}

function conditionOf({ headers }: SeenRequest): string {
  const etag = headers['if-none-match']
  const since = headers['if-modified-since']
  const stated = [etag === undefined ? '' : `match ${etag}`, since === undefined ? '' : `since ${since}`]
  return stated.filter((it) => it !== '').join(' & ') || 'plain'
}

/** Minutes since the world began, of each request. */
export function minutesOf(requests: readonly { readonly at: number }[], start: number): string {
  return requests.map(({ at }) => String((at - start) / MINUTE)).join(', ')
}

export async function recordsOf(world: World, id: string) {
  return (await world.tidings.polls.list(id)).items.toReversed()
}

export const nothing = (): void => {}
