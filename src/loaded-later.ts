// See docs/decisions/0174-commands-load-what-they-use.md
// An object that is made when one of its methods is first called. A command in a process of its own uses little of the
// program, and to load all of it would take longer than most commands run. Servers and the library load everything at the
// start instead: a long-lived process must not read files that an upgrade may have replaced.

type Asked = (...args: never[]) => Promise<unknown>

/** Only a method that returns a promise can wait for the rest. All other members are needed at once. */
type NeededAtOnce<T> = { readonly [K in keyof T as T[K] extends Asked ? never : K]: T[K] }

export function loadedLater<T extends object>(load: () => Promise<T>, atOnce: NeededAtOnce<T> & Partial<T>): T {
  let loading: Promise<T> | null = null
  const whole = (): Promise<T> => {
    loading ??= load()
    return loading
  }
  return new Proxy(atOnce as unknown as T, {
    get(known, name) {
      // An object with a method `then` would be taken for a promise.
      if (name in known || name === 'then' || typeof name === 'symbol') return Reflect.get(known, name)
      return async (...args: unknown[]) => {
        const method = Reflect.get(await whole(), name) as (...args: unknown[]) => Promise<unknown>
        return method(...args)
      }
    },
  })
}
