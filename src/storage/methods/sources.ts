// Methods of the store about sources, and removing them with their podcast or user.
import { addSource } from '../sources/add-source.ts'
import { changeSource } from '../sources/change-source.ts'
import { countsOf, getSource } from '../sources/get-source.ts'
import { listSources } from '../sources/list-sources.ts'
import { removePodcast, removeSource, removeUser } from '../sources/remove.ts'
import type { Bind } from './bind.ts'

export function sourceMethods({ verb }: Bind) {
  return {
    removeUser: verb(removeUser),
    removePodcast: verb(removePodcast),
    addSource: verb(addSource),
    getSource: verb(getSource),
    countsOf: verb(countsOf),
    listSources: verb(listSources),
    changeSource: verb(changeSource),
    removeSource: verb(removeSource),
  }
}
