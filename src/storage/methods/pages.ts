// Methods of the store about pages behind posts.
import { finishPage, lanesOfDuePages, movePage, nextPageOf, requestPage } from '../pages/pages.ts'
import { putRobots, robotsOf } from '../pages/robots.ts'
import type { Bind } from './bind.ts'

export function pageMethods({ verb }: Bind) {
  return {
    lanesOfDuePages: verb(lanesOfDuePages),
    nextPageOf: verb(nextPageOf),
    movePage: verb(movePage),
    finishPage: verb(finishPage),
    requestPage: verb(requestPage),
    robotsOf: verb(robotsOf),
    putRobots: verb(putRobots),
  }
}
