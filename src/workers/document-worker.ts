// The thread that reads documents: whatever DOCUMENT_TASKS lists.
import { DOCUMENT_TASKS } from './document-tasks.ts'
import { serveTasks } from './serve-tasks.ts'

serveTasks(DOCUMENT_TASKS)
