// Methods of the store about sources, and removing them with their podcast or user.
import { addSource } from '../sources/add-source.ts'
import { changeSource } from '../sources/change-source.ts'
import { countSources, hostsLeftAlone, lanesAfter, sampleSources, sourcesOfLanes } from '../sources/forecast-sources.ts'
import { countsOf, getSource } from '../sources/get-source.ts'
import { listSources } from '../sources/list-sources.ts'
import { removePodcast, removeSource, removeUser } from '../sources/remove.ts'
import { indexSources } from '../sources/source-texts.ts'
import type { Bind } from './bind.ts'

export function sourceMethods({ verb, verbByTypes }: Bind) {
  return {
    removeUser: verb(removeUser),
    removePodcast: verb(removePodcast),
    addSource: verb(addSource),
    getSource: verb(getSource),
    countsOf: verb(countsOf),
    listSources: verbByTypes(listSources),
    changeSource: verb(changeSource),
    removeSource: verb(removeSource),
    indexSources: verb(indexSources),
    countSources: verb(countSources),
    sampleSources: verb(sampleSources),
    lanesAfter: verb(lanesAfter),
    sourcesOfLanes: verb(sourcesOfLanes),
    hostsLeftAlone: verb(hostsLeftAlone),
  }
}
