// The thread that reads documents: whatever DOCUMENT_TASKS lists. A thread has no compile cache of its own accord; with
// the process's one, the readers are loaded in half the time.
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import { serveTasks } from './serve-tasks.ts'

const { compileCache }: { compileCache: string | null } = workerData ?? { compileCache: null }
if (compileCache !== null) enableCompileCache(compileCache)
const { DOCUMENT_TASKS } = await import('./document-tasks.ts')
serveTasks(DOCUMENT_TASKS)
