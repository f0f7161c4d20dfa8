// The product's reader, with a weakness: some words in a feed make it hang, die or eat all memory.
import { DOCUMENT_TASKS, type FeedTask } from '../../src/workers/document-tasks.ts'
import { serveTasks } from '../../src/workers/serve-tasks.ts'

serveTasks({
  ...DOCUMENT_TASKS,
  feed: (task: FeedTask) => {
    const text = new TextDecoder().decode(task.bytes)
    if (text.includes('please hang')) for (;;);
    if (text.includes('please die')) process.exit(3)
    if (text.includes('please eat')) for (const hoard: number[][] = []; ; ) hoard.push(new Array(100_000).fill(1))
    return DOCUMENT_TASKS.feed(task)
  },
})
