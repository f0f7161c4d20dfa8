// A reader that never finishes.
import { serveTasks } from '../../src/workers/serve-tasks.ts'

serveTasks({
  feed: () => {
    for (;;);
  },
})
