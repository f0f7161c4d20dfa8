// A check tests one promise to the hosts that Tidings visits. It plays the server for the whole product
// (real sockets, real store, manual clock) and reports what it saw and what it expected, as two sentences to compare.
import type { SeenRequest } from '../../test/support/origin.ts'
import { MINUTE, startWorld, type World } from '../../test/support/world.ts'

export interface Check {
  readonly group: string
  readonly property: string
  run(): Promise<CheckResult>
}

export interface CheckResult {
  readonly seen: string
  readonly expected: string
}

export type WorldOptions = Parameters<typeof startWorld>[0]

export function inGroup(group: string) {
  return (property: string, run: () => Promise<CheckResult>): Check => ({ group, property, run })
}

/** Runs one check in a world of its own and closes the world afterwards. */
export async function inWorld(
  run: (world: World) => Promise<CheckResult>,
  options: WorldOptions = {},
): Promise<CheckResult> {
  await using world = await startWorld(options)
  return await run(world)
}

/** A check that is independent of others in the same world: only this check uses `path`. */
export interface SharedCheck {
  readonly property: string
  run(world: World, path: string): Promise<CheckResult>
}

/** Independent checks share one world. The first one that is run runs all of them. */
export function checksInOneWorld(check: ReturnType<typeof inGroup>, rows: readonly SharedCheck[]): Check[] {
  let results: Promise<Map<SharedCheck, CheckResult>> | null = null
  const runAll = async (): Promise<Map<SharedCheck, CheckResult>> => {
    await using world = await startWorld()
    const byRow = new Map<SharedCheck, CheckResult>()
    for (const [index, row] of rows.entries()) byRow.set(row, await row.run(world, `/${index}`))
    return byRow
  }
  return rows.map((row) =>
    check(row.property, async () => {
      results ??= runAll()
      const result = (await results).get(row)
      if (!result) throw new Error('a check has no result')
      return result
    }),
  )
}

/** Polls manually, a minute apart. Before each poll it changes what the server answers. */
export async function pollEach(world: World, id: string, before: readonly (() => unknown)[]): Promise<void> {
  for (const change of before) {
    await world.clock.advance(MINUTE)
    await change()
    await world.tidings.poll(id)
  }
}

/** The conditional headers of each request, in words. */
export function conditions(requests: readonly SeenRequest[]): string {
  return requests.map(conditionOf).join(' | ')
}

function conditionOf({ headers }: SeenRequest): string {
  const etag = headers['if-none-match']
  const since = headers['if-modified-since']
  const stated = [etag === undefined ? '' : `match ${etag}`, since === undefined ? '' : `since ${since}`]
  return stated.filter((it) => it !== '').join(' & ') || 'plain'
}

/** When each request was made, in minutes since the start of the world. */
export function minutesOf(requests: readonly { readonly at: number }[], start: number): string {
  return requests.map(({ at }) => String((at - start) / MINUTE)).join(', ')
}

export async function recordsOf(world: World, id: string) {
  return (await world.tidings.polls.list(id)).items.toReversed()
}

export const noChange = (): void => {}
