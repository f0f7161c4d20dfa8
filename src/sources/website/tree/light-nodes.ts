/**
 * linkedom gives every node a map of its event listeners, in a WeakMap. Nobody listens to a page that is only read, and
 * with tens of thousands of nodes those maps cost more than parsing, above all when memory is collected. This makes nodes
 * without them: the constructor of `Node` then calls one that does nothing. Everything else of linkedom stays as it is.
 */
type Constructor = (abstract new () => object) | null

const NAME_OF_NODES = 'Node'
const NAME_OF_TARGETS = 'DOMEventTarget'

class NoListeners {}

/** `node`: any node that linkedom made. Does nothing if linkedom is built in another way. */
export function makeNodesLight(node: object): void {
  for (let made = node.constructor as Constructor; made; made = Object.getPrototypeOf(made) as Constructor) {
    const parent = Object.getPrototypeOf(made) as Constructor
    if (made.name !== NAME_OF_NODES || parent?.name !== NAME_OF_TARGETS) continue
    Object.setPrototypeOf(made, NoListeners)
    return
  }
}
