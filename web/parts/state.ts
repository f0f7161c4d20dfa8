// A value that components can read and be told of when it changes.
import { useEffect, useState } from 'preact/hooks'

export interface State<T> {
  get(): T
  set(value: T): void
  update(change: (value: T) => T): void
  subscribe(listener: () => void): () => void
}

export function createState<T>(initial: T): State<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const state: State<T> = {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    update: (change) => state.set(change(value)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return state
}

export function useValue<T>(state: State<T>): T {
  const [, rerender] = useState({})
  useEffect(() => {
    const seen = state.get()
    const stop = state.subscribe(() => rerender({}))
    // It may have changed between the rendering and the subscription.
    if (!Object.is(seen, state.get())) rerender({})
    return stop
  }, [state])
  return state.get()
}
