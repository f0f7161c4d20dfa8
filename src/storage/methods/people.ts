// Methods of the store about users, podcasts, tokens and secrets.
import { addPodcast, changePodcast, getPodcast, listPodcasts } from '../people/podcasts.ts'
import { getSecret, putKey, removeSecret, resealSecret, secretsNotUnder } from '../people/secrets.ts'
import { storedBytes } from '../people/stored-bytes.ts'
import { takeTestFetch } from '../people/test-fetches.ts'
import { addToken, findToken, listTokens, removeToken, touchToken } from '../people/tokens.ts'
import { addUser, getUser, listUsers, renameUser } from '../people/users.ts'
import { countOwned } from '../people/within-limit.ts'
import { countXPostsRead, xPostsReadOn, xPostsReadSince } from '../people/x-posts-read.ts'
import type { Bind } from './bind.ts'

export function peopleMethods({ verb }: Bind) {
  return {
    addUser: verb(addUser),
    getUser: verb(getUser),
    listUsers: verb(listUsers),
    renameUser: verb(renameUser),
    addPodcast: verb(addPodcast),
    getPodcast: verb(getPodcast),
    listPodcasts: verb(listPodcasts),
    changePodcast: verb(changePodcast),
    addToken: verb(addToken),
    listTokens: verb(listTokens),
    findToken: verb(findToken),
    touchToken: verb(touchToken),
    removeToken: verb(removeToken),
    takeTestFetch: verb(takeTestFetch),
    countOwned: verb(countOwned),
    storedBytes: verb(storedBytes),
    putKey: verb(putKey),
    resealSecret: verb(resealSecret),
    getSecret: verb(getSecret),
    removeSecret: verb(removeSecret),
    secretsNotUnder: verb(secretsNotUnder),
    countXPostsRead: verb(countXPostsRead),
    xPostsReadSince: verb(xPostsReadSince),
    xPostsReadOn: verb(xPostsReadOn),
  }
}
