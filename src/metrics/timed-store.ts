// The same store, with the time of each call told to whoever listens. Nobody listening costs next to nothing.
import type { Store } from '../ports/store.ts'

export type TellTime = (verb: string, seconds: number) => void

export function timed(store: Store, listener: () => TellTime | null): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const tell = listener()
        if (!tell) return value.apply(target, args)
        const startedAt = performance.now()
        const done = (): void => tell(String(name), (performance.now() - startedAt) / 1000)
        return Promise.resolve(value.apply(target, args)).finally(done)
      }
    },
  })
}
