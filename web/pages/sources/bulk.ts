// Does something to many sources, a hundred at a time, so that progress can be shown.
import { call } from '../../api/call.ts'
import type { BulkAnswer } from '../../api/types.ts'

export type BulkAction = 'enable' | 'disable' | 'poll' | 'remove'

const AT_ONCE = 100

export async function runBulk(
  podcastPath: string,
  action: BulkAction,
  ids: readonly string[],
  onProgress: (done: number) => void,
): Promise<BulkAnswer['failed']> {
  const failed: BulkAnswer['failed'][number][] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const answer = await call<BulkAnswer>('POST', `${podcastPath}/sources/bulk`, { ids: some, action })
    failed.push(...answer.failed)
    onProgress(from + some.length)
  }
  return failed
}
