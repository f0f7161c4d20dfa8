// Whether the caller has admin rights. What needs them is not offered to others.
import type { StatusView } from '../api/types.ts'
import { useAnswer } from '../api/use-answer.ts'

/** null until it is known. A server of an earlier version does not say, and refuses what it has to. */
export function useIsAdmin(): boolean | null {
  const { data } = useAnswer<StatusView>('/status')
  return data === null ? null : ((data as Partial<StatusView>).caller?.admin ?? true)
}
