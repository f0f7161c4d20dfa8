// The entry point of a worker thread that reads documents. It enables the compile cache of the process, because threads
// do not inherit it. That halves the time to load the readers.
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import { serveTasks } from './serve-tasks.ts'

const { compileCache }: { compileCache: string | null } = workerData ?? { compileCache: null }
if (compileCache !== null) enableCompileCache(compileCache)
const { DOCUMENT_TASKS } = await import('./document-tasks.ts')
serveTasks(DOCUMENT_TASKS)
