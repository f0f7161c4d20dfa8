/**
 * Reads the names of people from JSON-LD. A name is written in place, or the value refers by `@id` to a node elsewhere.
 * Only one reference is followed: a reference to another reference gives no name.
 * The walk is bounded and does not recurse.
 */

export type Json = { [key: string]: unknown }

const MAX_VALUES = 20_000

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Returns a function that gives the names in a value. The scripts are searched only when a reference is found. */
export function personNames(scripts: readonly unknown[]): (value: unknown) => string[] {
  let byId: ReadonlyMap<string, string> | null = null
  const nameOf = (one: unknown): string | null => {
    if (!isObject(one)) return textOf(one)
    const name = ownName(one)
    const id = textOf(one['@id'])
    if (name || !id) return name
    byId ??= namesById(scripts)
    return byId.get(id) ?? null
  }
  return (value) => (Array.isArray(value) ? value : [value]).map(nameOf).filter((name) => name !== null)
}

function ownName({ name }: Json): string | null {
  return textOf(Array.isArray(name) ? name[0] : name)
}

/** If several nodes have the same `@id`, the outermost one with a name wins. */
function namesById(scripts: readonly unknown[]): Map<string, string> {
  const names = new Map<string, string>()
  const queue: unknown[] = [...scripts]
  for (let at = 0; at < queue.length && at < MAX_VALUES; at++) {
    const value = queue[at]
    if (isObject(value)) {
      const id = textOf(value['@id'])
      const name = ownName(value)
      if (id && name && !names.has(id)) names.set(id, name)
    }
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) queue.push(inner)
  }
  return names
}
