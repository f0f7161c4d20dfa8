// Chance that a seed decides: the same seed gives the same run.

export type Chance = () => number

/** mulberry32 */
export function seeded(seed: number): Chance {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Each purpose draws from a stream of its own, so that leaving one out does not change the others. */
export function streamOf(seed: number, purpose: string): Chance {
  let mixed = seed | 0
  for (const character of purpose) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193) + 0x9e3779b9
  const chance = seeded(mixed)
  chance()
  return chance
}

export function pick<T>(chance: Chance, from: readonly T[]): T {
  const picked = from[Math.floor(chance() * from.length)]
  if (picked === undefined) throw new Error('there is nothing to pick from')
  return picked
}

export function between(chance: Chance, least: number, most: number): number {
  return least + chance() * (most - least)
}

export function wholeBetween(chance: Chance, least: number, most: number): number {
  return Math.floor(between(chance, least, most + 1))
}
