/**
 * The names of people in JSON-LD: written in place, or by reference to the node of the same `@id` wherever on the page it
 * stands. One step only: a reference that leads to another reference names nobody. The walk is bounded and without recursion.
 */

export type Json = { [key: string]: unknown }

const MAX_VALUES = 20_000

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Names as this page's scripts give them; the scripts are walked when the first reference is met. */
export function namesIn(scripts: readonly unknown[]): (value: unknown) => string[] {
  let known: ReadonlyMap<string, string> | null = null
  const named = (one: unknown): string | null => {
    if (!isObject(one)) return textOf(one)
    const name = ownName(one)
    const id = textOf(one['@id'])
    if (name || !id) return name
    known ??= namesById(scripts)
    return known.get(id) ?? null
  }
  return (value) => (Array.isArray(value) ? value : [value]).map(named).filter((name) => name !== null)
}

function ownName({ name }: Json): string | null {
  return textOf(Array.isArray(name) ? name[0] : name)
}

/** The outermost node with a name wins where several have the same `@id`. */
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
